// Each verb adds itself to the command line and runs from its own callback.
#pragma once

#include <CLI/CLI.hpp>

namespace telescope::lab {

void add_bench_filters(CLI::App& bench);
void add_bench_codes(CLI::App& bench);
void add_bench_guard(CLI::App& bench);
void add_bench_life(CLI::App& bench);
void add_bench_loads(CLI::App& bench);
void add_bench_rivals(CLI::App& bench);
void add_bench_roofline(CLI::App& bench);
void add_bench_scale(CLI::App& bench);
void add_bench_speed(CLI::App& bench);
void add_fpr(CLI::App& app);
void add_generate(CLI::App& app);
void add_trace(CLI::App& app);
void add_letters(CLI::App& app);
void add_reproduce(CLI::App& app);

}  // namespace telescope::lab
