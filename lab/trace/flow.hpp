// The flow of a packet: protocol, addresses, ports. Whatever is not there (no ports in ICMP, a later fragment, a packet
// that was cut off) counts as zero; a packet without an IP header has no flow.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace telescope::lab {

struct Flow {
  // version, protocol, source and destination address (IPv4 in the first four of sixteen bytes), source and destination
  // port
  std::array<unsigned char, 2 + 32 + 4> bytes{};
};

enum class Link { ethernet, raw_ip, null_loopback, linux_cooked, linux_cooked2, other };

namespace flow_detail {

using Bytes = std::span<const unsigned char>;

inline unsigned big16(Bytes bytes, std::size_t at) noexcept {
  return static_cast<unsigned>(bytes[at] << 8 | bytes[at + 1]);
}

inline constexpr unsigned kIpv4 = 0x0800, kIpv6 = 0x86dd;

// The IP packet behind a type and what follows it: VLAN tags come between.
inline std::optional<Bytes> behind_type(Bytes packet, std::size_t type_at) noexcept {
  for (;; type_at += 4) {
    if (packet.size() < type_at + 2) return std::nullopt;
    const unsigned type = big16(packet, type_at);
    if (type == kIpv4 || type == kIpv6) return packet.subspan(type_at + 2);
    if (type != 0x8100 && type != 0x88a8 && type != 0x9100) return std::nullopt;
  }
}

inline std::optional<Bytes> ip_packet(Link link, Bytes packet) noexcept {
  switch (link) {
    case Link::ethernet: return behind_type(packet, 12);
    case Link::linux_cooked: return behind_type(packet, 14);
    case Link::linux_cooked2: {
      if (packet.size() < 20) return std::nullopt;
      const unsigned type = big16(packet, 0);
      return type == kIpv4 || type == kIpv6 ? std::optional(packet.subspan(20)) : std::nullopt;
    }
    case Link::null_loopback: return packet.size() < 4 ? std::nullopt : std::optional(packet.subspan(4));
    case Link::raw_ip: return packet;
    case Link::other: break;
  }
  return std::nullopt;
}

inline bool has_ports(unsigned protocol) noexcept {
  constexpr std::array kProtocols = {6u, 17u, 33u, 132u, 136u};  // TCP, UDP, DCCP, SCTP, UDP-Lite
  return std::find(kProtocols.begin(), kProtocols.end(), protocol) != kProtocols.end();
}

inline void finish(Flow& flow, unsigned version, unsigned protocol, Bytes payload) noexcept {
  flow.bytes[0] = static_cast<unsigned char>(version);
  flow.bytes[1] = static_cast<unsigned char>(protocol);
  if (has_ports(protocol) && payload.size() >= 4) std::copy_n(payload.begin(), 4, flow.bytes.begin() + 34);
}

inline std::optional<Flow> flow_of_ipv4(Bytes ip) noexcept {
  const std::size_t header = 4u * (ip[0] & 15u);
  if (ip.size() < 20 || header < 20) return std::nullopt;
  Flow flow;
  std::copy_n(ip.begin() + 12, 4, flow.bytes.begin() + 2);
  std::copy_n(ip.begin() + 16, 4, flow.bytes.begin() + 18);
  const bool later_fragment = (big16(ip, 6) & 0x1fff) != 0;
  const Bytes payload = later_fragment || ip.size() < header ? Bytes() : ip.subspan(header);
  finish(flow, 4, ip[9], payload);
  return flow;
}

inline std::optional<Flow> flow_of_ipv6(Bytes ip) noexcept {
  if (ip.size() < 40) return std::nullopt;
  Flow flow;
  std::copy_n(ip.begin() + 8, 32, flow.bytes.begin() + 2);
  unsigned next = ip[6];
  Bytes rest = ip.subspan(40);
  // Hop-by-hop, routing and destination options, fragments: each says what comes behind it.
  while (next == 0 || next == 43 || next == 60 || next == 44) {
    const std::size_t size = next == 44 ? 8 : rest.size() < 2 ? 8 : 8 * (rest[1] + std::size_t{1});
    if (rest.size() < size) {
      rest = {};
      break;
    }
    const bool later_fragment = next == 44 && (big16(rest, 2) & 0xfff8) != 0;
    next = rest[0];
    rest = later_fragment ? Bytes() : rest.subspan(size);
    if (later_fragment) break;
  }
  finish(flow, 6, next, rest);
  return flow;
}

}  // namespace flow_detail

inline std::optional<Flow> flow_of(Link link, std::span<const unsigned char> packet) noexcept {
  const auto ip = flow_detail::ip_packet(link, packet);
  if (!ip || ip->empty()) return std::nullopt;
  if ((*ip)[0] >> 4 == 4) return flow_detail::flow_of_ipv4(*ip);
  if ((*ip)[0] >> 4 == 6) return flow_detail::flow_of_ipv6(*ip);
  return std::nullopt;
}

}  // namespace telescope::lab
