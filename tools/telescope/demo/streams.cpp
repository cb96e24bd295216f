#include "streams.hpp"

#include <cmath>

namespace telescope::contest {

void Stream::told(std::span<const std::uint64_t>, std::span<const std::uint8_t>) {}

SkewedStream::SkewedStream(Keys keys, std::uint64_t members, std::uint64_t unique, std::uint64_t seed) noexcept
    : keys_(keys), members_(members), state_(mix64(seed)), log_unique_(std::log1p(static_cast<double>(unique))) {}

double SkewedStream::uniform() noexcept {
  return static_cast<double>(mix64(state_ += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

// The whole part k of (unique + 1)^u has probability proportional to ln(1 + 1/k), which is nearly 1/k; rejecting some
// makes it exactly that. The ratio of the two is largest for k = 1: 1 / ln 2.
std::uint64_t SkewedStream::rank() noexcept {
  for (;;) {
    const double k = std::floor(std::exp(uniform() * log_unique_));
    const double ratio = 1 / (k * std::log1p(1 / k));
    if (uniform() / std::log(2.0) < ratio) return static_cast<std::uint64_t>(k) - 1;
  }
}

void SkewedStream::next(std::span<std::uint64_t> keys) {
  for (std::uint64_t& key : keys) key = keys_[members_ + rank()];
}

AdversarialStream::AdversarialStream(Keys keys, std::uint64_t members, std::uint64_t fresh) noexcept
    : keys_(keys), at_(members), end_(members + fresh) {}

void AdversarialStream::next(std::span<std::uint64_t> keys) {
  for (std::uint64_t& key : keys) {
    if (at_ < end_ || seen_.empty()) {
      key = keys_[at_++];
    } else {
      key = seen_[replayed_++ % seen_.size()];
    }
  }
}

void AdversarialStream::told(std::span<const std::uint64_t> keys, std::span<const std::uint8_t> read) {
  if (replayed_ > 0) return;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (read[i] != 0) seen_.push_back(keys[i]);
  }
}

}  // namespace telescope::contest
