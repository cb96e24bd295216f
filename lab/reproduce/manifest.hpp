// With what a report was measured.
#pragma once

#include "../output.hpp"
#include "job.hpp"

namespace telescope::lab {

Row make_manifest(const Setting& setting);

}  // namespace telescope::lab
