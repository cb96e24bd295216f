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
TELESCOPE_STORE_LAWS(Sqlite, InSqlite);

}  // namespace
}  // namespace telescope::testing
