// Numbers as people write them, and as people read them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace telescope::tool {

// 1000000, 1_000_000, 1e6, 1.5e6, 10k, 10M, 2G, 0x10, 2^20. Nothing that is not a whole number.
std::optional<std::uint64_t> parse_count(std::string_view text);
// 1/256, 2^-8, 0.004, 0.4%. Something between 0 and 1.
std::optional<double> parse_rate(std::string_view text);
// Decimal or 0x hexadecimal, and nothing around it.
std::optional<std::uint64_t> parse_word(std::string_view text);

std::string with_commas(std::uint64_t number);
std::string bytes_text(double bytes);      // 11.0 MB
std::string seconds_text(double seconds);  // 320 us, 4.2 s, 3 min 20 s, 2.3 days
std::string short_count(double number);    // 950, 12.3 k, 4.56 M

}  // namespace telescope::tool
