// With what a report was measured.
#pragma once

#include "io/output.hpp"
#include "reproduce/job.hpp"

namespace telescope::lab {

Row make_manifest(const Setting& setting);

}  // namespace telescope::lab
