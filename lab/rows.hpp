// The names of the fields in the rows that verbs print. Figures and claims look results up by the same names, so a
// verb and its readers cannot come apart.
#pragma once

#include <string>

namespace telescope::lab::field {

// Of several verbs.
inline constexpr const char* kFilter = "filter";
inline constexpr const char* kSlots = "slots";
inline constexpr const char* kMembers = "members";
inline constexpr const char* kBitsPerSlot = "bits_per_slot";
inline constexpr const char* kFpr = "fpr";          // false-positive rate
inline constexpr const char* kMissing = "missing";  // members that were not found
inline constexpr const char* kOverflows = "overflows";
inline constexpr const char* kAs = "as";  // A/S: unique negatives per member
inline constexpr const char* kSeed = "seed";
inline constexpr const char* kMean = "mean";  // the seed of a row that stands for all of them

// Of `fpr`.
inline constexpr const char* kPolicy = "policy";
inline constexpr const char* kFprCi = "fpr_ci";          // half the width of its 95 % interval
inline constexpr const char* kFprRepeat = "fpr_repeat";  // of queries that had been asked before
inline constexpr const char* kFprLast = "fpr_last";      // of the adversary's last round
inline constexpr const char* kHeld = "held";             // of the adversary's queries, those that are left

// Of `bench speed`.
inline constexpr const char* kLoad = "load";
inline constexpr const char* kOperation = "operation";
inline constexpr const char* kMops = "mops";       // million operations per second
inline constexpr const char* kMopsCi = "mops_ci";  // half the width of the mean's 95 % interval

// Of `bench codes`.
inline constexpr const char* kCode = "code";
inline constexpr const char* kDecodeNs = "decode_ns";
inline constexpr const char* kOverflowShare = "overflow_share";

// Of `letters`.
inline std::string share_of_letter(unsigned letter) { return "share_" + std::to_string(letter); }
inline std::string bound_of_letter(unsigned letter) { return "bound_" + std::to_string(letter); }
inline constexpr const char* kLemmaZero = "lemma_0";
inline constexpr const char* kEntropy = "entropy";
inline constexpr const char* kTheoremBits = "theorem_bits";

}  // namespace telescope::lab::field
