// A report as one page: its style, its script and its plots are inside, and it asks the network for nothing.
#pragma once

#include <string>

#include "report/report.hpp"
#include "report/styles.hpp"

namespace telescope::lab {

std::string page_of(const Report& report, const Styles& styles);

}  // namespace telescope::lab
