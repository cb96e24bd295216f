// The example of a store by callables is one: it keeps the laws.
#include "../examples/sqlite_store.hpp"

#include "support/snapshot_bytes.hpp"
#include "support/store_laws.hpp"

namespace telescope::testing {
namespace {

struct InSqlite {
  static constexpr bool kLasts = true;
  static constexpr bool kVersioned = true;
  Directory directory;
  CallableStore open() { return example::sqlite_store(directory / "records.db"); }
};
INSTANTIATE_TYPED_TEST_SUITE_P(Sqlite, StoreLaws, InSqlite);

}  // namespace
}  // namespace telescope::testing
