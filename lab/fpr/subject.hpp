// A filter under experiment, whichever it is: ours, a rival, a foreign one, with or without a cache before it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <telescope/options.hpp>
#include <telescope/reports.hpp>
#include <vector>

#include "members/member_index.hpp"

namespace telescope::lab {

class Subject {
 public:
  virtual ~Subject() = default;
  virtual bool insert(std::uint64_t key) = 0;  // false: full
  virtual bool query(std::uint64_t key) = 0;   // may be present
  // After a query that was a false positive.
  virtual void adapt(std::uint64_t key) = 0;
  virtual std::uint64_t bits() const = 0;
  // What adapting has done to codes; zeros where there are none.
  virtual OverflowReport overflow() const { return {}; }
};

struct SubjectOptions {
  std::uint64_t slots = 0;
  std::uint64_t seed = 1;
  Overflow overflow = Overflow::evict;
  const MemberIndex* members = nullptr;  // of all that will be inserted: for our own filters
};

// What can be written on the command line: a filter of ours or a rival's name, or a file of a foreign filter (it has a
// slash or ends in .so; docs/peers.md), and "+cache" behind it.
std::vector<std::string> subject_names();
bool takes_policy(const std::string& name);
bool is_foreign(const std::string& name);

// Throws LabError for a name that is none.
std::unique_ptr<Subject> make_subject(const std::string& name, const SubjectOptions& options);

}  // namespace telescope::lab
