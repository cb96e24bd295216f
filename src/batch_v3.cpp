#include "telescope/detail/query/batch.hpp"
#include "telescope/detail/x86/xxh3_vectors.hpp"

namespace telescope::inline v1::detail {

#if defined(TELESCOPE_HAS_V3)
TELESCOPE_V3 void place_in_fours(const Xxh3Keys& keys, std::size_t first, std::uint64_t blocks,
                                 std::uint64_t block_bytes, BatchGroup& group) noexcept {
  using namespace bits::v3;
  for (std::size_t i = 0; i < kBatchGroup; i += 4) {
    const auto [position, fingerprint] = hash_four(keys, first + i);
    const Four place = multiply_middle(position, static_cast<std::uint32_t>(blocks));
    store(group.position + i, position);
    store(group.fingerprint + i, fingerprint);
    store(group.block + i, _mm256_mul_epu32(_mm256_srli_epi64(place, 32), each(block_bytes)));
    store(group.bit + i, _mm256_and_si256(_mm256_srli_epi64(place, 26), each(63)));
  }
}
#endif

}  // namespace telescope::inline v1::detail
