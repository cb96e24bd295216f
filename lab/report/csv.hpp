// The figures of a report for programs: CSV as RFC 4180 has it, but for the ends of its lines. What is not a number is
// an empty field.
#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"

namespace telescope::lab {

std::string csv_of(const Panel& panel);
std::string csv_of(const std::vector<ClaimResult>& claims);

}  // namespace telescope::lab
