// telescope-lab bench codes: our code against the paper's two coders, block by block in one interleaved run.
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <telescope/detail/adapt/selectors.hpp>
#include <telescope/detail/codec/event_code.hpp>
#include <tuple>
#include <vector>

#include "io/output.hpp"
#include "measure/clocks.hpp"
#include "measure/statistics.hpp"
#include "paper/coders.hpp"
#include "paper/general_code.hpp"
#include "paper/shift_code.hpp"
#include "rows.hpp"
#include "verbs.hpp"
#include "workloads/random.hpp"

namespace telescope::lab {
namespace {

using detail::Letters;
using DefaultCode = detail::DefaultCode<8>;

constexpr std::array kNegatives = {10.0, 20.0, 30.0, 40.0, 50.0};  // A/S
constexpr double kLoad = 0.95;
constexpr unsigned kSlots = 64;

// A letter grows with each false positive that its member meets. A/S unique negatives per member at load l bring
// l A/S / 2^8 of them in the first pass, and a moved remainder meets some more later: about A/S / 2^8 in all.
std::vector<Letters> sample_blocks(double as, const CodesOptions& options) {
  Random random(options.seed + static_cast<std::uint64_t>(as));
  std::vector<Letters> blocks(options.blocks);
  for (Letters& block : blocks) {
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      const Letter letter = random.uniform() < kLoad ? random.poisson(as / 256) : 0;
      if (letter != 0) block.push(slot, letter);
    }
  }
  return blocks;
}

// Times one code on the blocks that all codes hold, so that all do the same work.
template <class Code>
class TimedCode {
 public:
  explicit TimedCode(const std::vector<Letters>& blocks) {
    for (const Letters& block : blocks) overflows_ += !Code().encode(block);
  }

  void prepare(const std::vector<Letters>& common, std::vector<std::uint32_t> indices) {
    common_ = &common;
    indices_ = std::move(indices);
    for (const Letters& block : common) codes_.push_back(*Code().encode(block));
  }

  void encode() {
    const Stopwatch watch;
    std::uint64_t sum = 0;
    for (const Letters& block : *common_) sum += Code().encode(block).value_or(0);
    finish(encode_ns_, watch, sum);
  }

  void decode() {
    const Stopwatch watch;
    std::uint64_t sum = 0;
    for (const std::uint64_t code : codes_) sum += Code().decode(code).size();
    finish(decode_ns_, watch, sum);
  }

  void letter_at() {
    const Stopwatch watch;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < codes_.size(); ++i) sum += Code().letter_at(codes_[i], indices_[i]);
    finish(letter_at_ns_, watch, sum);
  }

  Row row(std::string_view name, double as, const CodesOptions& options) const {
    Row row;
    row[field::kCode] = name;
    row[field::kAs] = as;
    row[field::kDecodeNs] = median(decode_ns_);
    row["encode_ns"] = median(encode_ns_);
    row["letter_at_ns"] = median(letter_at_ns_);
    row[field::kOverflowShare] = static_cast<double>(overflows_) / options.blocks;
    return row;
  }

 private:
  void finish(std::vector<double>& times, const Stopwatch& watch, std::uint64_t sum) {
    times.push_back(watch.seconds() * 1e9 / static_cast<double>(codes_.size()));
    consume(sum);
  }

  const std::vector<Letters>* common_ = nullptr;
  std::vector<std::uint32_t> indices_;
  std::vector<std::uint64_t> codes_;
  std::uint64_t overflows_ = 0;
  std::vector<double> encode_ns_, decode_ns_, letter_at_ns_;
};

template <class... Codes>
void compare(double as, const std::array<std::string_view, sizeof...(Codes)>& names, const CodesOptions& options,
             Output& output) {
  const std::vector<Letters> blocks = sample_blocks(as, options);
  std::vector<Letters> common;
  for (const Letters& block : blocks) {
    if ((Codes().encode(block) && ...)) common.push_back(block);
  }
  Random random(options.seed);
  std::vector<std::uint32_t> indices(common.size());
  for (std::uint32_t& index : indices) index = static_cast<std::uint32_t>(random.below(kSlots));

  std::tuple<TimedCode<Codes>...> codes{TimedCode<Codes>(blocks)...};
  const auto each = [&](auto act) { std::apply([&](auto&... code) { (act(code), ...); }, codes); };
  each([&](auto& code) { code.prepare(common, indices); });
  for (unsigned rep = 0; rep < options.reps; ++rep) {
    each([](auto& code) { code.decode(); });
    each([](auto& code) { code.encode(); });
    each([](auto& code) { code.letter_at(); });
  }
  auto name = names.begin();
  each([&](auto& code) { output.add(code.row(*name++, as, options)); });
}

}  // namespace

void bench_codes(const CodesOptions& options) {
  Output output(options.json);
  for (const double as : kNegatives) {
    compare<DefaultCode, detail::ShiftCode, detail::GeneralCode<2, 3>>(as, {"event", "shift", "general"}, options,
                                                                       output);
  }
  output.finish();
}

}  // namespace telescope::lab
