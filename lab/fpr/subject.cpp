#include "fpr/subject.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <telescope/filter.hpp>

#include "contestants/make_filter.hpp"
#include "contestants/peer.hpp"
#include "paper/coders.hpp"
#include "rivals/cached.hpp"
#include "rivals/rivals.hpp"

namespace telescope::lab {
namespace {

// One of ours, with the members that its adapting asks for.
template <class Filter>
class Own {
 public:
  static constexpr bool kAdapts = Filter::kAdapts;

  explicit Own(const SubjectOptions& options)
      : filter_(make_filter<Filter>({.slots = options.slots, .overflow = options.overflow}, options.seed)),
        members_(options.members) {}

  bool insert(std::uint64_t key) { return filter_.insert(key).ok(); }
  bool contains(std::uint64_t key) const { return filter_.contains(key); }
  void adapt(std::uint64_t key) {
    const auto report = filter_.adapt(key, *members_);
    if (!report) throw LabError(std::string(message(report.error())));
    overflow_ += report->overflow;
  }
  std::uint64_t bits() const {
    return static_cast<std::uint64_t>(filter_.bits_per_slot() * static_cast<double>(filter_.slots()));
  }
  OverflowReport overflow() const { return overflow_; }

 private:
  Filter filter_;
  const MemberIndex* members_;
  OverflowReport overflow_;
};

// A foreign one. If it adapts, it does so within its queries.
class Foreign {
 public:
  static constexpr bool kAdapts = false;

  Foreign(const std::string& file, std::uint64_t slots)
      : library_(std::make_unique<PeerLibrary>(file)), peer_(*library_, slots) {}

  bool insert(std::uint64_t key) { return peer_.insert(std::span(&key, 1)) == 1; }
  bool contains(std::uint64_t key) const { return peer_.contains(std::span(&key, 1)) == 1; }
  std::uint64_t bits() const { return 8 * peer_.bytes(); }

 private:
  std::unique_ptr<PeerLibrary> library_;
  mutable Peer peer_;
};

template <class Filter>
class SubjectOf final : public Subject {
 public:
  explicit SubjectOf(Filter filter) : filter_(std::move(filter)) {}

  bool insert(std::uint64_t key) override { return filter_.insert(key); }
  bool query(std::uint64_t key) override {
    if constexpr (requires { filter_.query(key); }) {
      return filter_.query(key);
    } else {
      return filter_.contains(key);
    }
  }
  void adapt(std::uint64_t key) override {
    if constexpr (Filter::kAdapts) filter_.adapt(key);
  }
  std::uint64_t bits() const override { return filter_.bits(); }
  OverflowReport overflow() const override {
    if constexpr (requires { filter_.overflow(); }) return filter_.overflow();
    return {};
  }

 private:
  Filter filter_;
};

template <class Filter>
std::unique_ptr<Subject> wrap(Filter filter, std::uint64_t slots, bool cached) {
  if (cached) return std::make_unique<SubjectOf<Cached<Filter>>>(Cached<Filter>(std::move(filter), slots));
  return std::make_unique<SubjectOf<Filter>>(std::move(filter));
}

using Maker = std::unique_ptr<Subject> (*)(const SubjectOptions&, bool cached);

template <class Filter>
std::unique_ptr<Subject> make_own(const SubjectOptions& options, bool cached) {
  return wrap(Own<Filter>(options), options.slots, cached);
}

template <class Filter>
std::unique_ptr<Subject> make_rival(const SubjectOptions& options, bool cached) {
  return wrap(Filter(options.slots, experiment_hash(options.seed)), options.slots, cached);
}

const std::vector<std::pair<std::string, Maker>>& own_makers() {
  static const std::vector<std::pair<std::string, Maker>> makers = {{"taf", make_own<Taf<8>>},
                                                                    {"exaf", make_own<Exaf<8>>},
                                                                    {"utaf", make_own<Utaf<8>>},
                                                                    {"rsqf", make_own<Rsqf<8>>},
                                                                    {"taf-shift", make_own<TafShift<8>>}};
  return makers;
}

std::vector<std::pair<std::string, Maker>> makers() {
  auto all = own_makers();
  Rivals::for_each([&]<class R>(std::type_identity<R>) { all.emplace_back(R::kName, make_rival<R>); });
  return all;
}

// The name without "+cache", and whether it had that.
std::pair<std::string, bool> split(const std::string& name) {
  constexpr std::string_view kCache = "+cache";
  if (!std::string_view(name).ends_with(kCache)) return {name, false};
  return {name.substr(0, name.size() - kCache.size()), true};
}

}  // namespace

std::vector<std::string> subject_names() {
  std::vector<std::string> names;
  for (const auto& [name, maker] : makers()) names.push_back(name);
  return names;
}

bool takes_policy(const std::string& name) {
  const std::string base = split(name).first;
  for (const auto& [own, maker] : own_makers()) {
    if (own == base) return base != "rsqf" && base != "utaf";
  }
  return false;
}

bool is_foreign(const std::string& name) {
  const std::string base = split(name).first;
  return base.find('/') != std::string::npos || base.ends_with(".so");
}

std::unique_ptr<Subject> make_subject(const std::string& name, const SubjectOptions& options) {
  const auto [base, cached] = split(name);
  if (is_foreign(name)) {
    return wrap(Foreign(base, options.slots), options.slots, cached);
  }
  for (const auto& [known, maker] : makers()) {
    if (known == base) return maker(options, cached);
  }
  throw LabError(fmt::format("no filter {}: choose among {}, with or without +cache, or the file of a foreign one",
                             name, fmt::join(subject_names(), ", ")));
}

}  // namespace telescope::lab
