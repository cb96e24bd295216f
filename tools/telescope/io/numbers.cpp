#include "numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace telescope::tool {
namespace {

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// 2^20 and 2^-8, as an exponent of two.
std::optional<int> parse_power_of_two(std::string_view text) {
  if (!text.starts_with("2^")) return std::nullopt;
  text.remove_prefix(2);
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const auto exponent = parse_digits(text, 10);
  if (!exponent || *exponent > 63) return std::nullopt;
  return negative ? -static_cast<int>(*exponent) : static_cast<int>(*exponent);
}

double unit_of(char letter) {
  switch (letter) {
    case 'k':
    case 'K': return 1e3;
    case 'M': return 1e6;
    case 'G': return 1e9;
    case 'T': return 1e12;
    default: return 0;
  }
}

}  // namespace

std::optional<std::uint64_t> parse_word(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) return parse_digits(text.substr(2), 16);
  return parse_digits(text, 10);
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  if (const auto word = parse_word(plain)) return word;
  if (const auto power = parse_power_of_two(plain); power && *power >= 0) return std::uint64_t{1} << *power;
  if (plain.empty()) return std::nullopt;
  const double unit = unit_of(plain.back());
  if (unit != 0) plain.pop_back();
  const auto value = parse_double(plain);
  if (!value) return std::nullopt;
  const double count = *value * (unit == 0 ? 1 : unit);
  if (count < 0 || count >= 0x1p63 || count != std::floor(count)) return std::nullopt;
  return static_cast<std::uint64_t>(count);
}

std::optional<double> parse_rate(std::string_view text) {
  std::optional<double> rate;
  if (const auto power = parse_power_of_two(text)) {
    rate = std::exp2(*power);
  } else if (const auto slash = text.find('/'); slash != std::string_view::npos) {
    const auto above = parse_double(text.substr(0, slash)), below = parse_double(text.substr(slash + 1));
    if (above && below && *below != 0) rate = *above / *below;
  } else if (text.ends_with('%')) {
    if ((rate = parse_double(text.substr(0, text.size() - 1)))) *rate /= 100;
  } else {
    rate = parse_double(text);
  }
  return rate && *rate > 0 && *rate < 1 ? rate : std::nullopt;
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, ",");
  return digits;
}

std::string bytes_text(double bytes) {
  constexpr std::array units = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return unit == 0 ? fmt::format("{:.0f} bytes", bytes)
                   : fmt::format("{:.{}f} {}", bytes, bytes < 99.95 ? 1 : 0, units[unit]);
}

std::string seconds_text(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} us", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.0f} ms", seconds * 1e3);
  if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
  if (seconds < 3600)
    return fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60), std::floor(std::fmod(seconds, 60)));
  if (seconds < 2 * 86400) return fmt::format("{:.1f} hours", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string short_count(double number) {
  if (number < 9.95 && number != std::floor(number)) return fmt::format("{:.1f}", number);
  if (number < 999.5) return fmt::format("{:.0f}", number);
  constexpr std::array units = {"k", "M", "G", "T", "P", "E"};
  std::size_t unit = 0;
  for (number /= 1000; number >= 999.5 && unit + 1 < units.size(); ++unit) number /= 1000;
  const int digits = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", number, digits, units[unit]);
}

}  // namespace telescope::tool
