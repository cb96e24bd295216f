// A checked twin: a filter with a plain multiset beside it. Every call goes to both, and the laws are checked on the
// way.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "telescope/any_filter.hpp"
#include "telescope/filter.hpp"
#include "telescope/member_map.hpp"

namespace telescope::testing {

inline constexpr FilterKind kKinds[] = {FilterKind::rsqf, FilterKind::taf, FilterKind::utaf, FilterKind::exaf};

// A filter as AnyFilter makes it, for suites that run over values.
struct Form {
  FilterKind kind;
  unsigned width;

  bool adapts() const { return kind != FilterKind::rsqf; }
  Result<AnyFilter> create(const FilterOptions& options) const { return AnyFilter::create(kind, width, options); }
  friend std::string name_of(const Form& form) {
    return std::string(to_string(form.kind)) + std::to_string(form.width);
  }
  friend void PrintTo(const Form& form, std::ostream* out) { *out << name_of(form); }
};

// Of these widths, those that there are. Unless told, every sort of them: remainders below, of, and across bytes, and
// the narrowest and the widest.
inline std::vector<unsigned> some_widths(std::vector<unsigned> widths = {4, 5, 8, 13, 16, 24, 32}) {
  std::erase_if(widths, [](unsigned width) { return width > AnyFilter::kMaxWidth; });
  return widths;
}
inline std::vector<Form> some_forms(const std::vector<unsigned>& widths = some_widths()) {
  std::vector<Form> forms;
  for (const FilterKind kind : kKinds) {
    for (const unsigned width : widths) forms.push_back({kind, width});
  }
  return forms;
}
inline std::string form_name(const ::testing::TestParamInfo<Form>& info) { return name_of(info.param); }

// How many slots have each letter but zero.
inline std::vector<std::uint64_t> letters_of(const AnyFilter& filter) {
  std::vector<std::uint64_t> counts(1000);
  filter.count_letters(counts);
  counts[0] = 0;
  return counts;
}

// A MemberMap that counts how often it is asked, and fails when it is told to.
class Members {
 public:
  void insert(const Hash& hash) { ASSERT_TRUE(members_.insert(hash).ok()); }
  void erase(const Hash& hash) { ASSERT_TRUE(members_.erase(hash).ok()); }
  Status operator()(const QuotientRange& range, MemberSink sink) const {
    ++asked;
    return failing ? Status(Error::source_failed) : members_(range, sink);
  }

  bool failing = false;
  mutable std::uint64_t asked = 0;

 private:
  MemberMap members_;
};

// AnyFilter with a key hash, so that it looks like a Filter.
template <class H = Xxh3>
struct Keyed {
  AnyFilter filter;
  H hash;

  static Keyed make(FilterKind kind, unsigned width, const FilterOptions& options, Secret secret = {{1, 2}}) {
    return {std::move(AnyFilter::create(kind, width, options)).value(), H(secret)};
  }
  static Keyed make(const Form& form, const FilterOptions& options, Secret secret = {{1, 2}}) {
    return make(form.kind, form.width, options, secret);
  }
  Hash hash_of(std::uint64_t key) const { return hash(key); }
  bool contains(std::uint64_t key) const { return filter.contains(hash(key)); }
  void contains(std::span<const std::uint64_t> keys, std::span<std::uint8_t> out) const {
    std::vector<Hash> hashes;
    for (std::uint64_t key : keys) hashes.push_back(hash(key));
    filter.contains(hashes, out);
  }
  auto insert(std::uint64_t key) { return filter.insert(hash(key)); }
  auto insert(std::uint64_t key, const MemberSource& source) { return filter.insert(hash(key), source); }
  auto adapt(std::uint64_t key, const MemberSource& source) { return filter.adapt(hash(key), source); }
  auto erase(std::uint64_t key, const MemberSource& source) { return filter.erase(hash(key), source); }
  auto check() const { return filter.check(); }
  std::uint64_t size() const { return filter.size(); }
  std::uint64_t slots() const { return filter.slots(); }
  double load() const { return filter.load(); }
};

template <class F>
class Twin {
 public:
  explicit Twin(F subject) : filter(std::move(subject)) {}

  bool insert(std::uint64_t key) {
    const auto done = filter.insert(key, store);
    if (!done) {
      EXPECT_EQ(done.error(), Error::full);
      EXPECT_EQ(filter.size(), filter.slots());
      return false;
    }
    keys.insert(key);
    store.insert(filter.hash_of(key));
    EXPECT_TRUE(filter.contains(key));
    return true;
  }

  // Law one, and adapts on every false positive, as a guard would.
  AdaptReport query(std::uint64_t key) {
    const bool found = filter.contains(key);
    if (keys.contains(key)) {
      EXPECT_TRUE(found) << "a member is lost: " << key;
      return {};
    }
    if (!found) return {};
    ++false_positives;
    const auto done = filter.adapt(key, store);
    EXPECT_TRUE(done.ok()) << message(done.error());
    if (!done.ok()) return {};
    EXPECT_LE(done->adapted, done->hits);
    const bool looked = done->hits > 0;  // RSQF does not
    EXPECT_TRUE(!looked || filter.contains(key) == (done->adapted < done->hits));
    return *done;
  }

  void erase(std::uint64_t key) {
    const auto done = filter.erase(key, store);
    if (const auto at = keys.find(key); at != keys.end()) {
      ASSERT_TRUE(done.ok()) << message(done.error());
      keys.erase(at);
      store.erase(filter.hash_of(key));
    } else {
      ASSERT_FALSE(done.ok());
      EXPECT_EQ(done.error(), Error::not_found);
    }
  }

  void sweep() const {
    const auto violation = filter.check();
    ASSERT_FALSE(violation.has_value()) << violation->what << " in block " << violation->block;
    ASSERT_EQ(filter.size(), keys.size());
    std::size_t lost = 0;
    for (std::uint64_t key : keys) lost += !filter.contains(key);
    ASSERT_EQ(lost, 0u) << "members are lost";
  }

  void fill(double load, std::mt19937_64& random) {
    const auto target = static_cast<std::uint64_t>(load * static_cast<double>(filter.slots()));
    while (filter.size() < target) ASSERT_TRUE(insert(random()));
  }

  F filter;
  Members store;
  std::unordered_multiset<std::uint64_t> keys;
  std::uint64_t false_positives = 0;
};

// Sanitized builds do a fraction of the work.
#if defined(TELESCOPE_SANITIZED)
inline constexpr unsigned kEffort = 1;
#else
inline constexpr unsigned kEffort = 8;
#endif

// Returns the blocks of a filter that has never adapted, without its codes: how much slack they have depends on the
// order in which members came.
inline std::vector<std::byte> without_slack(const AnyFilter& filter) {
  std::vector<std::byte> raw(filter.raw().begin(), filter.raw().end());
  if (filter.kind() != FilterKind::taf) return raw;
  using Layout = detail::Layout<detail::bits::kAnyWidth, detail::LetterStorage::coded>;
  for (std::size_t block = 0; block < raw.size(); block += Layout(filter.width()).bytes()) {
    std::fill_n(raw.data() + block + Layout::kHead + 1, detail::kCodeBits / 8, std::byte{0});
  }
  return raw;
}

}  // namespace telescope::testing
