// Captures of packets, through libpcap: what it can read can be a trace.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "trace/source.hpp"

namespace telescope::lab {

// By its first four bytes: pcap in either byte order, with micro- or nanoseconds, or pcapng.
bool looks_like_capture(std::span<const unsigned char> start) noexcept;

// The flow of each packet, in order; returns how many packets have none. Throws LabError.
std::uint64_t read_capture(const std::string& file, const KeySink& sink);

}  // namespace telescope::lab
