// A guard over a database of your own, here SQLite (sqlite_store.hpp).
#include "sqlite_store.hpp"

#include <iostream>
#include <telescope/guard.hpp>

int main() {
  // The database is temporary. With a path it would last, and Guard::open would find the set again.
  auto guard = telescope::Guard::create(example::sqlite_store(""), {.capacity = 1000});
  if (!guard) return 1;
  for (int year = 1900; year < 2000; ++year) {
    if (!guard->insert("year " + std::to_string(year), std::to_string(year % 4 == 0 ? 366 : 365) + " days")) return 1;
  }

  std::string value;
  const auto found = guard->get("year 1904", value);
  if (!found || !*found) return 1;
  std::cout << "1904 had " << value << '\n';

  // Keys that are absent: the filter answers. About one in 256 reaches the database, and no key reaches it twice.
  for (int pass = 0; pass < 10; ++pass) {
    for (int year = 2000; year < 12000; ++year) {
      const auto there = guard->contains("year " + std::to_string(year));
      if (!there || *there) return 1;
    }
  }
  const telescope::GuardCounters counters = guard->counters();
  std::cout << counters.filter_negatives << " of " << counters.queries << " queries never reached the database\n";
  return counters.false_positives < 100 ? 0 : 1;
}
