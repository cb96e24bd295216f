// Memory that runs out: an allocation of the calling thread fails, by any form of operator new or by a memory
// resource, or all from then on. It needs the library of this name, whose operator new is then that of the whole
// program.
#pragma once

#include <memory_resource>

namespace telescope::testing {

// While it lives, the allocation after the next `enough` ones of this thread fails; if it lasts, so do all later ones.
class FailingAllocation {
 public:
  explicit FailingAllocation(long enough, bool lasts = false) noexcept;
  ~FailingAllocation();
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;

  // Returns whether one has failed.
  static bool happened() noexcept;
};

// Counts as operator new does, which it uses.
class FailingResource : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace telescope::testing
