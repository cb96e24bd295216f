/* What a peer exports to be measured beside our filters: a shared object with these C functions. See docs/peers.md. */
#ifndef TELESCOPE_LAB_PEER_H
#define TELESCOPE_LAB_PEER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TELESCOPE_PEER_EXPORT __attribute__((visibility("default")))
#else
#define TELESCOPE_PEER_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Required. */
TELESCOPE_PEER_EXPORT const char* telescope_peer_name(void);
/* A filter with room for `slots` elements (its number of slots, where it has slots); null if it cannot. */
TELESCOPE_PEER_EXPORT void* telescope_peer_create(uint64_t slots);
/* 1 if the key is in now, 0 if the filter refused it. */
TELESCOPE_PEER_EXPORT int telescope_peer_insert(void* filter, uint64_t key);
/* 1 for "maybe present", 0 for "surely absent". */
TELESCOPE_PEER_EXPORT int telescope_peer_contains(void* filter, uint64_t key);
/* Memory of the filter proper, without any copy of the keys. */
TELESCOPE_PEER_EXPORT uint64_t telescope_peer_bytes(void* filter);
TELESCOPE_PEER_EXPORT void telescope_peer_destroy(void* filter);

/* Optional: the loops of the benchmark inside the peer, so that it pays no indirect call per key.
   Both return a count: keys inserted, keys that may be present. */
TELESCOPE_PEER_EXPORT uint64_t telescope_peer_insert_many(void* filter, const uint64_t* keys, size_t count);
TELESCOPE_PEER_EXPORT uint64_t telescope_peer_contains_many(void* filter, const uint64_t* keys, size_t count);
/* Optional: the peer's own batch forms, measured as such. They return the same counts. */
TELESCOPE_PEER_EXPORT uint64_t telescope_peer_insert_batch(void* filter, const uint64_t* keys, size_t count);
TELESCOPE_PEER_EXPORT uint64_t telescope_peer_contains_batch(void* filter, const uint64_t* keys, size_t count);
/* Optional: adapts on keys for which `contains` said "maybe present" and that were never inserted. Before the clock
   starts, the peer may fetch the members that adapting on the same keys will need. */
TELESCOPE_PEER_EXPORT void telescope_peer_fetch_members(void* filter, const uint64_t* keys, size_t count);
TELESCOPE_PEER_EXPORT void telescope_peer_adapt_many(void* filter, const uint64_t* keys, size_t count);
/* Optional: 1 if `contains` repairs a false positive by itself. Absent means 0. */
TELESCOPE_PEER_EXPORT int telescope_peer_adapts(void);

#ifdef __cplusplus
}
#endif

#endif
