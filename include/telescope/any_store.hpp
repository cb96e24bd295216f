// AnyStore: any store, chosen at run time; what a guard holds. Each call costs one indirect call more than that of the
// store itself. Where the store lacks an optional operation, AnyStore makes do with the others.
#pragma once

#include <memory>
#include <utility>

#include "telescope/store.hpp"

namespace telescope::inline v1 {

class AnyStore {
 public:
  // Excludes AnyStore first; otherwise the move constructor and Store<AnyStore> would depend on each other.
  template <class S>
  requires(!std::same_as<S, AnyStore>) && Store<S> AnyStore(S store)
      : held_(std::make_unique<Model<S>>(std::move(store))) {}

  // The operations and their laws: see store.hpp.
  Outcome<bool> get(const RecordKey& key, std::string& value) { return held_->get(key, value); }
  Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) {
    return held_->scan(first, last, sink);
  }
  Outcome<void> write(std::span<const Write> writes) { return held_->write(writes); }
  Outcome<bool> get_meta(std::string_view name, std::string& value) { return held_->get_meta(name, value); }
  Outcome<void> put_meta(std::span<const MetaWrite> writes) { return held_->put_meta(writes); }

  Outcome<bool> contains(const RecordKey& key) { return held_->contains(key); }
  Outcome<void> get_many(std::span<const RecordKey> keys, std::span<std::string> values,
                         std::span<std::uint8_t> found) {
    return held_->get_many(keys, values, found);
  }
  std::uint64_t version() { return held_->version(); }
  // Returns whether ingest does anything but fail with bad_argument.
  bool can_ingest() const { return held_->can_ingest(); }
  Outcome<void> ingest(BulkSource next) { return held_->ingest(next); }
  std::uint64_t bytes() { return held_->bytes(); }
  // Returns true if the store does not say: then each of its failed writes is done or not when it returns.
  bool settled() { return held_->settled(); }

 private:
  class Base {
   public:
    virtual ~Base() = default;
    virtual Outcome<bool> get(const RecordKey& key, std::string& value) = 0;
    virtual Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) = 0;
    virtual Outcome<void> write(std::span<const Write> writes) = 0;
    virtual Outcome<bool> get_meta(std::string_view name, std::string& value) = 0;
    virtual Outcome<void> put_meta(std::span<const MetaWrite> writes) = 0;
    virtual Outcome<void> get_many(std::span<const RecordKey> keys, std::span<std::string> values,
                                   std::span<std::uint8_t> found) = 0;
    virtual Outcome<bool> contains(const RecordKey& key) = 0;
    virtual std::uint64_t version() = 0;
    virtual bool can_ingest() const = 0;
    virtual Outcome<void> ingest(BulkSource next) = 0;
    virtual std::uint64_t bytes() = 0;
    virtual bool settled() = 0;
  };

  template <class S>
  class Model final : public Base {
   public:
    explicit Model(S store) : store_(std::move(store)) {}
    Outcome<bool> get(const RecordKey& key, std::string& value) override { return store_.get(key, value); }
    Outcome<void> scan(std::uint64_t first, std::uint64_t last, RecordSink sink) override {
      return store_.scan(first, last, sink);
    }
    Outcome<void> write(std::span<const Write> writes) override { return store_.write(writes); }
    Outcome<bool> get_meta(std::string_view name, std::string& value) override { return store_.get_meta(name, value); }
    Outcome<void> put_meta(std::span<const MetaWrite> writes) override { return store_.put_meta(writes); }

    Outcome<void> get_many(std::span<const RecordKey> keys, std::span<std::string> values,
                           std::span<std::uint8_t> found) override {
      if constexpr (BatchReadingStore<S>) {
        return store_.get_many(keys, values, found);
      } else {
        for (std::size_t i = 0; i < keys.size(); ++i) {
          auto got = values.empty() ? contains(keys[i]) : store_.get(keys[i], values[i]);
          if (!got) return std::move(got).error();
          found[i] = *got ? 1 : 0;
        }
        return {};
      }
    }
    Outcome<bool> contains(const RecordKey& key) override {
      if constexpr (MembershipStore<S>) {
        return store_.contains(key);
      } else {
        std::string value;
        return store_.get(key, value);
      }
    }
    std::uint64_t version() override {
      if constexpr (VersionedStore<S>) return unless_it_throws([&] { return store_.version(); });
      return 0;
    }
    bool can_ingest() const override { return BulkStore<S>; }
    Outcome<void> ingest(BulkSource next) override {
      if constexpr (BulkStore<S>) {
        return store_.ingest(next);
      } else {
        return Failure{Error::bad_argument, "this store cannot ingest: write the records instead"};
      }
    }
    std::uint64_t bytes() override {
      if constexpr (MeasuredStore<S>) return unless_it_throws([&] { return store_.bytes(); });
      return 0;
    }
    bool settled() override {
      if constexpr (SettlingStore<S>) return unless_it_throws([&] { return store_.settled(); });
      return true;
    }

   private:
    // These return no error. What a store that throws does not say is unknown: 0, or false.
    template <class Call>
    static auto unless_it_throws(Call call) noexcept -> decltype(call()) {
      try {
        return call();
      } catch (...) {
        return {};
      }
    }

    S store_;
  };

  std::unique_ptr<Base> held_;
};

static_assert(Store<AnyStore>);

}  // namespace telescope::inline v1
