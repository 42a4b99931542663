#pragma once

/// Marks a function that is compiled twice on x86-64, for any processor and for those with wider vectors; the
/// one that fits is chosen when the program starts. Contraction is off and such functions add lanes up in a
/// fixed order, so the numbers stay the same. Sanitizers do not get along with functions chosen at load time.
/// COPPICE_WIDEST_VECTORS compiles once more for vectors of 512 bits, which pays for long sums only.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define COPPICE_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#define COPPICE_WIDEST_VECTORS __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define COPPICE_WIDE_VECTORS
#define COPPICE_WIDEST_VECTORS
#endif
