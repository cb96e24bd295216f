// Runs a few threads one at a time, once in each order that has at most so many preemptions. They change at the points
// that LockHook gives, and where a test calls point(). A mistake that needs few preemptions is found for certain, and
// again: the orders do not depend on the machine.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "telescope/detail/lock_order.hpp"

namespace telescope::testing {

#ifdef TELESCOPE_CHECK_LOCKS

class Schedules final : detail::LockHook {
 public:
  using Bodies = std::vector<std::function<void()>>;

  Schedules(std::size_t threads, unsigned preemptions) : most_preemptions_(preemptions) {
    for (std::size_t i = 0; i < threads; ++i) threads_.push_back(std::make_unique<Thread>());
    for (std::size_t i = 0; i < threads; ++i) running_.emplace_back([this, i] { work(i); });
  }
  ~Schedules() override {
    bodies_.clear();
    for (const auto& thread : threads_) thread->turn.release();
  }
  Schedules(const Schedules&) = delete;
  Schedules& operator=(const Schedules&) = delete;

  // For each order, until a test fails: calls what `make` makes, a body for each thread, and then `check`. Returns how
  // many orders there were.
  std::uint64_t each(const std::function<Bodies()>& make, const std::function<void()>& check) {
    std::uint64_t orders = 0;
    do {
      bodies_ = make();
      for (auto& thread : threads_) thread->done = false;
      depth_ = preemptions_ = 0;
      hand_over(false);
      all_done_.acquire();
      check();
      ++orders;
    } while (!::testing::Test::HasFailure() && advance());
    return orders;
  }

  // Where the calling thread, if it is one of a schedule, may be preempted.
  static void here() {
    if (detail::lock_hook != nullptr) detail::lock_hook->point();
  }

 private:
  struct Thread {
    std::binary_semaphore turn{0};
    const void* waits_for = nullptr;
    bool done = false;
  };
  struct Choice {
    std::size_t taken, options;
  };

  void work(std::size_t i) {
    for (;;) {
      threads_[i]->turn.acquire();
      if (bodies_.empty()) return;
      detail::lock_hook = this;
      bodies_[i]();
      detail::lock_hook = nullptr;
      threads_[i]->done = true;
      hand_over(false);
    }
  }

  void point() override {
    const std::size_t self = current_;
    if (hand_over(true)) threads_[self]->turn.acquire();
  }
  void blocked(const void* lock) override {
    const std::size_t self = current_;
    threads_[self]->waits_for = lock;
    if (hand_over(false)) threads_[self]->turn.acquire();
  }
  void released(const void* lock) override {
    for (auto& thread : threads_) {
      if (thread->waits_for == lock) thread->waits_for = nullptr;
    }
  }

  // Decides who goes on; `may_stay`: the calling thread may. Returns whether it is another one, which then runs.
  bool hand_over(bool may_stay) {
    std::vector<std::size_t> next;
    if (may_stay) next.push_back(current_);
    if (!may_stay || preemptions_ < most_preemptions_) {
      for (std::size_t i = 0; i < threads_.size(); ++i) {
        if (may_stay && i == current_) continue;
        if (!threads_[i]->done && threads_[i]->waits_for == nullptr) next.push_back(i);
      }
    }
    if (next.empty()) {
      for (const auto& thread : threads_) {
        if (thread->done) continue;
        std::fputs("each thread waits for a lock that another one holds\n", stderr);
        std::abort();
      }
      all_done_.release();
      return false;
    }
    const std::size_t chosen = next[choose(next.size())];
    if (may_stay && chosen == current_) return false;
    preemptions_ += may_stay ? 1 : 0;
    current_ = chosen;
    threads_[chosen]->turn.release();
    return true;
  }

  std::size_t choose(std::size_t options) {
    if (options == 1) return 0;
    if (depth_ == path_.size()) path_.push_back({0, options});
    EXPECT_EQ(path_[depth_].options, options) << "the threads do not do the same again";
    return path_[depth_++].taken;
  }
  // The next order, depth first.
  bool advance() {
    while (!path_.empty() && path_.back().taken + 1 == path_.back().options) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().taken;
    return true;
  }

  unsigned most_preemptions_;
  std::size_t preemptions_ = 0;
  Bodies bodies_;
  std::binary_semaphore all_done_{0};
  std::vector<std::unique_ptr<Thread>> threads_;
  std::size_t current_ = 0;
  std::vector<Choice> path_;
  std::size_t depth_ = 0;
  std::vector<std::jthread> running_;
};

#endif

}  // namespace telescope::testing
