// Verdicts as people and tables call them.
#pragma once

#include "report/report.hpp"

namespace telescope::lab {

constexpr const char* in_words(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::differs: return "differs";
    case Verdict::fails: break;
  }
  return "fails";
}

}  // namespace telescope::lab
