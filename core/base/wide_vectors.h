#pragma once

/// Marks a function that is compiled twice on x86-64, for any processor and for those with wider vectors; the
/// one that fits is chosen when the program starts. Contraction is off and such functions add lanes up in a
/// fixed order, so the numbers stay the same. Sanitizers do not get along with functions chosen at load time.
/// COPPICE_WIDEST_VECTORS compiles once more for vectors of 512 bits, which pays for long sums only.
/// COPPICE_BIT_INSTRUCTIONS is for what counts and finds bits one by one, by instructions that x86-64 did not
/// have from the start.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define COPPICE_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#define COPPICE_WIDEST_VECTORS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#define COPPICE_BIT_INSTRUCTIONS __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define COPPICE_WIDE_VECTORS
#define COPPICE_WIDEST_VECTORS
#define COPPICE_BIT_INSTRUCTIONS
#endif

/// Marks a function written in the instructions of processors with vectors of 512 bits, for what no compiler
/// finds by itself. It may only be called where has_widest_vectors() says so; another function computes the
/// same everywhere else. Callers take `widest` for the sake of tests, which compare the two.
/// COPPICE_INLINE_FOR_WIDEST marks the small parts of which such functions are made.
#if defined(__x86_64__) && defined(__gnu_linux__)
#define COPPICE_WRITES_WIDEST 1
#define COPPICE_WRITTEN_FOR_WIDEST __attribute__((target("arch=x86-64-v4")))
#define COPPICE_INLINE_FOR_WIDEST __attribute__((target("arch=x86-64-v4"), always_inline)) inline
namespace coppice {
/// Whether the processor is an x86-64-v4, told by features, since not every compiler knows that name.
inline bool has_widest_vectors() {
  // Asked once: small functions ask very often.
  static const bool found =
      __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
      __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
      __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("bmi2") != 0 &&
      __builtin_cpu_supports("fma") != 0;
  return found;
}
/// The same for functions that also need what came later: bits counted and ranks of bytes closed in vectors.
#define COPPICE_WRITTEN_FOR_BITS __attribute__((target("arch=x86-64-v4,avx512vbmi2,avx512vpopcntdq")))
inline bool has_bit_vectors() {
  static const bool found = has_widest_vectors() && __builtin_cpu_supports("avx512vbmi2") != 0 &&
                            __builtin_cpu_supports("avx512vpopcntdq") != 0;
  return found;
}
}  // namespace coppice
#else
#define COPPICE_WRITES_WIDEST 0
namespace coppice {
inline bool has_widest_vectors() {
  return false;
}
inline bool has_bit_vectors() {
  return false;
}
}  // namespace coppice
#endif
