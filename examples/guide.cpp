// The code of docs/guide.md, as one program. A test compares the two.
#include <cstdio>
#include <telescope/any_filter.hpp>
#include <telescope/any_hash.hpp>
#include <telescope/concurrent.hpp>
#include <telescope/filter.hpp>
#include <telescope/growing.hpp>
#include <telescope/member_map.hpp>
#include <telescope/snapshot.hpp>
#include <thread>

using namespace telescope;

namespace {

bool one_by_one() {
  auto filter = *Taf<8>::create(FilterOptions::for_members(1000));
  MemberMap members;

  // Insert: first into the filter, then into what yields the members.
  if (!filter.insert("ada", members)) return false;
  if (!members.insert(filter.hash_of("ada"))) return false;

  // Query, and repair a false positive when the store has shown it to be one.
  if (filter.contains("eve")) {
    const auto adapted = filter.adapt("eve", members);
    if (!adapted) return false;
  }

  // Erase: while the members still have the key.
  if (!filter.erase("ada", members)) return false;
  return members.erase(filter.hash_of("ada")).ok() && filter.size() == 0;
}

bool errors() {
  auto filter = *Taf<8>::create({.slots = 64});
  MemberMap members;
  const auto erased = filter.erase("nobody", members);
  if (!erased && erased.error() == Error::not_found) {
    std::printf("%s\n", std::string(message(erased.error())).c_str());
  }
  return !erased;
}

bool batches(std::span<const std::uint64_t> keys) {
  auto filter = *Taf<8>::create(FilterOptions::for_members(keys.size()));
  const BatchInsertReport report = filter.insert(keys);
  std::vector<std::uint8_t> maybe(keys.size());
  filter.contains(keys, maybe);
  return report.inserted == keys.size() && maybe.front() == 1;
}

bool from_all_keys(std::span<const std::uint64_t> keys) {
  const auto filter = Taf<8>::build(FilterOptions::for_members(keys.size()), keys);
  return filter && filter->contains(keys.front());
}

bool growing(std::span<const std::uint64_t> keys) {
  auto filter = *Growing<Taf<8>>::create({.slots = 64}, {.at_load = 0.9, .factor = 2});
  MemberMap members;
  for (const std::uint64_t key : keys) {
    if (!filter.insert(key, members) || !members.insert(filter.hash_of(key))) return false;
  }
  return filter.slots() >= keys.size();
}

bool threads(std::span<const std::uint64_t> keys) {
  auto filter = *ConcurrentFilter<Taf<8>>::create(FilterOptions::for_members(keys.size()));
  const std::size_t half = keys.size() / 2;
  std::thread other([&] { filter.insert(keys.first(half)); });
  filter.insert(keys.subspan(half));
  other.join();
  return filter.size() == keys.size();
}

bool files(const Taf<8>& filter, const char* path) {
  if (const auto saved = save_snapshot(filter, path); !saved) {
    std::printf("%s\n", saved.error().what.c_str());
    return false;
  }
  const auto loaded = load_snapshot<Taf<8>>(path, filter.hash());
  return loaded && loaded->size() == filter.size();
}

bool at_run_time(std::string_view kind, unsigned width) {
  const auto parsed = parse_filter_kind(kind);
  if (!parsed) return false;
  auto filter = AnyFilter::create(*parsed, width, FilterOptions::for_members(1000));
  if (!filter) return false;
  const AnyHash hash({HashKind::siphash, Secret::random()});
  return filter->insert(hash("ada")).ok() && filter->contains(hash("ada"));
}

}  // namespace

int main() {
  std::vector<std::uint64_t> keys(1000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  const bool good = one_by_one() && errors() && batches(keys) && from_all_keys(keys) && growing(keys) &&
                    threads(keys) && files(*Taf<8>::build(FilterOptions::for_members(1000), keys), "guide.tsnap") &&
                    at_run_time("taf", 12);
  std::remove("guide.tsnap");
  return good ? 0 : 1;
}
