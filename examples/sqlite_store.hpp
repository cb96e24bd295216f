// SQLite as a store. sqlite_store(path), at the end, is what you would write for your own database; above it is a thin
// wrapper of SQLite's C interface. The wrapper throws the errors of SQLite, and CallableStore returns them as values.
#pragma once

#include <sqlite3.h>

#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <telescope/callable_store.hpp>
#include <telescope/store_key.hpp>
#include <vector>

namespace example {

using namespace telescope;

class Sqlite {
 public:
  explicit Sqlite(const std::string& path) {
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK) fail();
    // SQLite compares blobs bytewise, and keeps a table without row numbers in order of its key. So the records are in
    // order of position and then of key, as a store needs them.
    run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
        "CREATE TABLE IF NOT EXISTS records (position BLOB, key BLOB, value BLOB, PRIMARY KEY (position, key))"
        "  WITHOUT ROWID;"
        "CREATE TABLE IF NOT EXISTS meta (name BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID;"
        "CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, version INTEGER);"
        "INSERT OR IGNORE INTO state VALUES (0, 1)");
  }
  ~Sqlite() { sqlite3_close(db_); }
  Sqlite(const Sqlite&) = delete;
  Sqlite& operator=(const Sqlite&) = delete;

  void run(const char* sql) {
    if (sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }
  [[noreturn]] void fail() { throw std::runtime_error(sqlite3_errmsg(db_)); }
  sqlite3* handle() { return db_; }

  std::mutex mutex;  // for the one connection, which serves one call at a time

 private:
  sqlite3* db_ = nullptr;
};

class Statement {
 public:
  Statement(Sqlite& db, const char* sql, std::initializer_list<std::string_view> blobs) : db_(db) {
    if (sqlite3_prepare_v2(db.handle(), sql, -1, &statement_, nullptr) != SQLITE_OK) db.fail();
    int i = 0;
    for (const std::string_view blob : blobs) {
      const void* bytes = blob.empty() ? "" : blob.data();  // SQLite would take a null pointer for NULL
      sqlite3_bind_blob64(statement_, ++i, bytes, blob.size(), SQLITE_STATIC);
    }
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Returns whether there is a row.
  bool step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) db_.fail();
    return code == SQLITE_ROW;
  }
  std::string_view blob(int column) {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
  }
  std::uint64_t number(int column) { return static_cast<std::uint64_t>(sqlite3_column_int64(statement_, column)); }

 private:
  Sqlite& db_;
  sqlite3_stmt* statement_ = nullptr;
};

inline std::string_view view(const PositionBytes& bytes) { return {bytes.data(), bytes.size()}; }

// Runs body() as one transaction, which also changes the version of the store.
template <class Body>
Outcome<void> transaction(Sqlite& db, Body body) {
  db.run("BEGIN IMMEDIATE");
  try {
    body();
    db.run("UPDATE state SET version = version + 1; COMMIT");
  } catch (...) {
    sqlite3_exec(db.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
  return {};
}

// Some records of a scan. They are read under the lock and shown to the sink without it, so that the sink may read the
// store as well.
struct Page {
  std::vector<std::pair<std::string, std::string>> records;  // a key as in store_key.hpp, and its value
  static constexpr std::size_t kRecords = 256;

  Page(Sqlite& db, const RecordKey& from, bool behind, std::uint64_t last) {
    const std::lock_guard lock(db.mutex);
    const auto first = encode_position(from.position);
    const auto end = encode_position(last);
    Statement rows(db,
                   behind ? "SELECT position || key, value FROM records WHERE (position, key) > (?1, ?2)"
                            "  AND position <= ?3 ORDER BY position, key LIMIT 256"
                          : "SELECT position || key, value FROM records WHERE (position, key) >= (?1, ?2)"
                            "  AND position <= ?3 ORDER BY position, key LIMIT 256",
                   {view(first), from.key, view(end)});
    while (rows.step()) records.emplace_back(rows.blob(0), rows.blob(1));
  }
};

// Returns a store in the database at that path; an empty path is a temporary database. Throws if SQLite cannot open it.
inline CallableStore sqlite_store(const std::string& path) {
  const auto db = std::make_shared<Sqlite>(path);
  return CallableStore(StoreCalls{
      .get = [db](const RecordKey& key, std::string& value) -> Outcome<bool> {
        const std::lock_guard lock(db->mutex);
        const auto position = encode_position(key.position);
        Statement row(*db, "SELECT value FROM records WHERE position = ? AND key = ?", {view(position), key.key});
        if (!row.step()) return false;
        value = row.blob(0);
        return true;
      },
      .scan = [db](std::uint64_t first, std::uint64_t last, RecordSink sink) -> Outcome<void> {
        for (Page page(*db, {first, ""}, false, last);;) {
          for (const auto& [bytes, value] : page.records) {
            const auto key = decode_store_key(bytes);
            if (!key) return Failure{Error::corrupt, "a position of less than eight bytes"};
            if (!sink({key->position, key->key, value})) return {};
          }
          if (page.records.size() < Page::kRecords) return {};
          page = Page(*db, *decode_store_key(page.records.back().first), true, last);
        }
      },
      .write = [db](std::span<const Write> writes) -> Outcome<void> {
        const std::lock_guard lock(db->mutex);
        return transaction(*db, [&] {
          for (const Write& write : writes) {
            const auto position = encode_position(write.position);
            if (write.value) {
              Statement(*db, "REPLACE INTO records VALUES (?, ?, ?)", {view(position), write.key, *write.value}).step();
            } else {
              Statement(*db, "DELETE FROM records WHERE position = ? AND key = ?", {view(position), write.key}).step();
            }
          }
        });
      },
      .get_meta = [db](std::string_view name, std::string& value) -> Outcome<bool> {
        const std::lock_guard lock(db->mutex);
        Statement row(*db, "SELECT value FROM meta WHERE name = ?", {name});
        if (!row.step()) return false;
        value = row.blob(0);
        return true;
      },
      .put_meta = [db](std::span<const MetaWrite> writes) -> Outcome<void> {
        const std::lock_guard lock(db->mutex);
        db->run("PRAGMA synchronous = FULL");  // when it returns, this and all before it are on the disk
        auto written = transaction(*db, [&] {
          for (const MetaWrite& write : writes) {
            Statement(*db, "REPLACE INTO meta VALUES (?, ?)", {write.name, write.value}).step();
          }
        });
        db->run("PRAGMA synchronous = NORMAL");
        return written;
      },
      .version =
          [db] {
            const std::lock_guard lock(db->mutex);
            Statement row(*db, "SELECT version FROM state", {});
            return row.step() ? row.number(0) : 0;
          },
  });
}

}  // namespace example
