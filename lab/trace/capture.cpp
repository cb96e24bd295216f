#include "trace/capture.hpp"

#include <pcap/pcap.h>

#include <array>
#include <cstring>
#include <memory>

#include "io/errors.hpp"
#include "trace/flow.hpp"

namespace telescope::lab {
namespace {

struct Close {
  void operator()(pcap_t* capture) const noexcept { pcap_close(capture); }
};
using Capture = std::unique_ptr<pcap_t, Close>;

Capture open(const std::string& file) {
  std::array<char, PCAP_ERRBUF_SIZE> why{};
  Capture capture(pcap_open_offline(file.c_str(), why.data()));
  if (capture == nullptr) {
    throw LabError(file + " does not open as a capture (" + why.data() + "): give a pcap or pcapng file, or --format");
  }
  return capture;
}

Link link_of(int type) noexcept {
  switch (type) {
    case DLT_EN10MB: return Link::ethernet;
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6: return Link::raw_ip;
    case DLT_NULL:
    case DLT_LOOP: return Link::null_loopback;
    case DLT_LINUX_SLL: return Link::linux_cooked;
    case DLT_LINUX_SLL2: return Link::linux_cooked2;
    default: return Link::other;
  }
}

}  // namespace

bool looks_like_capture(std::span<const unsigned char> start) noexcept {
  constexpr std::array<std::array<unsigned char, 4>, 5> kMagics = {{{0xa1, 0xb2, 0xc3, 0xd4},
                                                                    {0xd4, 0xc3, 0xb2, 0xa1},
                                                                    {0xa1, 0xb2, 0x3c, 0x4d},
                                                                    {0x4d, 0x3c, 0xb2, 0xa1},
                                                                    {0x0a, 0x0d, 0x0d, 0x0a}}};
  if (start.size() < 4) return false;
  for (const auto& magic : kMagics) {
    if (std::memcmp(start.data(), magic.data(), magic.size()) == 0) return true;
  }
  return false;
}

std::uint64_t read_capture(const std::string& file, const KeySink& sink) {
  const Capture capture = open(file);
  const Link link = link_of(pcap_datalink(capture.get()));
  if (link == Link::other) {
    const char* name = pcap_datalink_val_to_name(pcap_datalink(capture.get()));
    throw LabError(file + " is a capture of link type " + (name == nullptr ? "unknown" : name) +
                   ": convert it to Ethernet or raw IP, for instance with editcap -T rawip");
  }
  std::uint64_t skipped = 0;
  pcap_pkthdr* header = nullptr;
  const unsigned char* data = nullptr;
  int got = 0;
  while ((got = pcap_next_ex(capture.get(), &header, &data)) == 1) {
    const auto flow = flow_of(link, std::span(data, header->caplen));
    if (flow) {
      sink(key_of_bytes({reinterpret_cast<const char*>(flow->bytes.data()), flow->bytes.size()}));
    } else {
      ++skipped;
    }
  }
  if (got != PCAP_ERROR_BREAK) {  // which is the end of the file
    throw LabError(file + ": " + pcap_geterr(capture.get()) + ": copy it again, or save what is whole with editcap");
  }
  return skipped;
}

}  // namespace telescope::lab
