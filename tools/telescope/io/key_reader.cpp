#include "key_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "csv.hpp"
#include "errors.hpp"
#include "input.hpp"
#include "stop.hpp"

namespace telescope::tool {

class KeyReader::Records {
 public:
  explicit Records(KeySource source) : source_(std::move(source)), input_(source_.file) {}
  virtual ~Records() = default;
  virtual bool next() = 0;

  const std::string& key() const noexcept { return key_; }
  const std::string& value() const noexcept { return value_; }
  const Input& input() const noexcept { return input_; }

 protected:
  void decode(std::string_view text, std::string& bytes, std::uint64_t line) const {
    const std::string trouble = decode_key(text, source_.form, bytes);
    if (!trouble.empty()) fail(line, trouble);
  }
  [[noreturn]] void fail(std::uint64_t line, const std::string& trouble) const {
    throw ToolError(fmt::format("{}:{}: {}", input_.name(), line, trouble));
  }

  KeySource source_;
  Input input_;
  std::string key_, value_;
};

namespace {

class Lines final : public KeyReader::Records {
 public:
  using Records::Records;

  bool next() override {
    auto record = input_.until(source_.null ? '\0' : '\n');
    if (!record) return false;
    ++line_;
    if (!source_.null && record->ends_with('\r')) record->remove_suffix(1);
    if (!source_.tab_values) {
      decode(*record, key_, line_);
      return true;
    }
    const std::size_t tab = std::min(record->find('\t'), record->size());
    const std::string_view value = record->substr(std::min(tab + 1, record->size()));
    decode(record->substr(0, tab), key_, line_);
    if (source_.form == KeyForm::hex) {
      decode(value, value_, line_);
    } else {
      value_.assign(value);
    }
    return true;
  }

 private:
  std::uint64_t line_ = 0;
};

class Words final : public KeyReader::Records {
 public:
  using Records::Records;

  bool next() override {
    const std::string_view word = input_.take(8);
    key_.assign(word);
    if (word.size() == 8) {
      ++words_;
      return true;
    }
    if (!word.empty() && !stop_requested()) {
      throw ToolError(fmt::format("{}: {} bytes are left over after word {}: --u64le reads words of 8 bytes",
                                  input_.name(), word.size(), words_));
    }
    return false;
  }

 private:
  std::uint64_t words_ = 0;
};

class Columns final : public KeyReader::Records {
 public:
  explicit Columns(KeySource source) : Records(std::move(source)), csv_(input_, source_.separator) {}

  bool next() override {
    if (!key_column_ && !read_header()) return false;
    if (!csv_.next()) return false;
    decode(field(*key_column_), key_, csv_.line());
    if (value_column_) value_ = field(*value_column_);
    return true;
  }

 private:
  // Columns that are named need a header; with numbers alone the first record is data.
  bool read_header() {
    const auto key = number_of(source_.csv_column), value = number_of(source_.value_column);
    const bool value_named = !source_.value_column.empty() && !value;
    if ((!key || value_named) && !csv_.next()) return false;
    key_column_ = key ? *key : column_named(source_.csv_column);
    if (value) value_column_ = *value;
    if (value_named) value_column_ = column_named(source_.value_column);
    return true;
  }

  static std::optional<std::size_t> number_of(const std::string& column) {
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(column.data(), column.data() + column.size(), number);
    if (column.empty() || error != std::errc() || end != column.data() + column.size() || number == 0) return {};
    return number - 1;
  }

  std::size_t column_named(const std::string& name) const {
    const auto& names = csv_.fields();
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    std::string known;
    for (const std::string& other : names) known += (known.empty() ? "" : ", ") + other;
    fail(csv_.line(), fmt::format("no column \"{}\": the header has {}", name, known));
  }

  const std::string& field(std::size_t column) const {
    if (column < csv_.fields().size()) return csv_.fields()[column];
    fail(csv_.line(), fmt::format("has {} columns, and column {} is wanted: check --csv and --separator",
                                  csv_.fields().size(), column + 1));
  }

  CsvReader csv_;
  std::optional<std::size_t> key_column_, value_column_;
};

std::unique_ptr<KeyReader::Records> make_records(const KeySource& source) {
  if (source.words) return std::make_unique<Words>(source);
  if (!source.csv_column.empty()) return std::make_unique<Columns>(source);
  return std::make_unique<Lines>(source);
}

}  // namespace

KeyReader::KeyReader(const KeySource& source) : records_(make_records(source)) {}
KeyReader::~KeyReader() = default;
KeyReader::KeyReader(KeyReader&&) noexcept = default;

bool KeyReader::next() { return records_->next(); }
const std::string& KeyReader::key() const noexcept { return records_->key(); }
const std::string& KeyReader::value() const noexcept { return records_->value(); }
std::uint64_t KeyReader::bytes_read() const noexcept { return records_->input().consumed(); }
std::uint64_t KeyReader::bytes_total() const noexcept { return records_->input().size(); }

}  // namespace telescope::tool
