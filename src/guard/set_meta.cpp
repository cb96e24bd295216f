#include "set_meta.hpp"

#include <array>
#include <charconv>

#include "telescope/any_filter.hpp"

namespace telescope::inline v1::detail {
namespace {

constexpr std::string_view kFormat = "1";

std::string to_hex(std::uint64_t word) {
  std::string digits(16, '0');
  for (std::size_t i = 16; i-- > 0; word >>= 4) digits[i] = "0123456789abcdef"[word & 15];
  return digits;
}

std::optional<std::uint64_t> parse(std::string_view text, int base) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Secret> parse_secret(std::string_view text) {
  if (text.size() != 32) return std::nullopt;
  const auto first = parse(text.substr(0, 16), 16), second = parse(text.substr(16), 16);
  if (!first || !second) return std::nullopt;
  return Secret{{*first, *second}};
}

Failure unknown_value(std::string_view name, std::string_view value) {
  return {Error::corrupt, "the store's " + std::string(name) + " has the unknown value \"" + std::string(value) +
                              "\": restore the store from a backup"};
}

}  // namespace

Outcome<void> expect_no_set(AnyStore& store) {
  std::string format;
  auto there = store.get_meta("format", format);
  if (!there) return std::move(there).error();
  if (*there)
    return Failure{Error::bad_argument, "the store already holds a set: open it, or create this one in another store"};
  return {};
}

Outcome<void> create_meta(AnyStore& store, const SetMeta& meta) {
  const std::string width = std::to_string(meta.set.width), slots = std::to_string(meta.slots);
  const std::string secret = to_hex(meta.set.secret->words[0]) + to_hex(meta.set.secret->words[1]);
  // The format comes last. A store that fails may have applied a part, which then is no set.
  const std::array<MetaWrite, 7> writes = {{{"filter", to_string(meta.set.filter)},
                                            {"width", width},
                                            {"hash", to_string(meta.set.hash)},
                                            {"secret", secret},
                                            {"slots", slots},
                                            {"state", ""},
                                            {"format", kFormat}}};
  return store.put_meta(writes);
}

Outcome<SetMeta> read_meta(AnyStore& store) {
  SetMeta meta;
  std::string format, filter, width, hash, secret, slots;
  const std::array<std::pair<std::string_view, std::string*>, 7> strings = {{{"format", &format},
                                                                             {"filter", &filter},
                                                                             {"width", &width},
                                                                             {"hash", &hash},
                                                                             {"secret", &secret},
                                                                             {"slots", &slots},
                                                                             {"state", &meta.state}}};
  for (const auto& [name, value] : strings) {
    auto there = store.get_meta(name, *value);
    if (!there) return std::move(there).error();
    if (!*there && name == "format") return Failure{Error::foreign, "the store holds no set: create one"};
    if (!*there)
      return Failure{Error::corrupt, "the store lacks its " + std::string(name) + ": restore the store from a backup"};
    if (name == "format" && *value != kFormat) {
      return Failure{Error::newer, "the set has format " + *value + ", this library knows format " +
                                       std::string(kFormat) + ": update the library"};
    }
  }
  const auto kind = parse_filter_kind(filter);
  if (!kind) return unknown_value("filter", filter);
  const auto hash_kind = parse_hash_kind(hash);
  if (!hash_kind) return unknown_value("hash", hash);
  const auto bits = parse(width, 10);
  if (!bits || *bits < AnyFilter::kMinWidth || *bits > AnyFilter::kMaxWidth) return unknown_value("width", width);
  const auto count = parse(slots, 10);
  if (!count || *count == 0 || *count % 64 != 0 || *count > FilterOptions::kMaxSlots)
    return unknown_value("slots", slots);
  meta.set.secret = parse_secret(secret);
  if (!meta.set.secret)
    return Failure{Error::corrupt, "the stored secret is malformed: restore the store from a backup"};
  meta.set.filter = *kind;
  meta.set.hash = *hash_kind;
  meta.set.width = static_cast<unsigned>(*bits);
  meta.slots = *count;
  return meta;
}

Outcome<void> write_meta(AnyStore& store, std::string_view name, std::string_view value) {
  const MetaWrite write{name, value};
  return store.put_meta({&write, 1});
}

std::string new_state() {
  const Secret random = Secret::random();
  return to_hex(random.words[0]) + to_hex(random.words[1]);
}

}  // namespace telescope::inline v1::detail
