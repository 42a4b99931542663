#include "core/tree/gather_walk.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace coppice {

#if defined(__x86_64__)

namespace {

constexpr std::size_t rows_in_vector = 8;
constexpr std::size_t vectors_of_rows = WalkingRows::together / rows_in_vector;

[[gnu::target("avx2")]] inline __m256i load_lanes(const std::uint32_t* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

/// Eight nodes: their features and right children.
struct EightNodes {
  __m256i feature;
  __m256i next;

  [[gnu::target("avx2")]] EightNodes(const PackedNodes& nodes, __m256i places) {
    const auto* const upper = reinterpret_cast<const int*>(nodes.nodes) + 1;
    const __m256i halves = _mm256_i32gather_epi32(upper, places, sizeof(std::uint64_t));
    feature = _mm256_and_si256(halves, _mm256_set1_epi32(0xffff));
    next = _mm256_srli_epi32(halves, 16);
  }
};

/// Where eight rows come to by a step each.
struct BitStep {
  const PackedNodes& nodes;
  const std::uint32_t* bits;

  [[gnu::target("avx2")]] __m256i operator()(__m256i places, __m256i rows) const {
    const EightNodes at(nodes, places);
    const __m256i words =
        _mm256_i32gather_epi32(reinterpret_cast<const int*>(bits),
                               _mm256_add_epi32(rows, _mm256_srli_epi32(at.feature, 5)), sizeof(int));
    // The bit of the feature becomes the sign; a leaf leads to itself.
    const __m256i shift = _mm256_andnot_si256(at.feature, _mm256_set1_epi32(31));
    const __m256i signs = _mm256_sllv_epi32(words, shift);
    const __m256i is_right =
        _mm256_or_si256(_mm256_srai_epi32(signs, 31), _mm256_cmpeq_epi32(at.next, places));
    const __m256i left = _mm256_add_epi32(places, _mm256_set1_epi32(1));
    return _mm256_blendv_epi8(left, at.next, is_right);
  }
};

}  // namespace

bool gathers_pay() {
  // Processors that have AVX-VNNI are newer than those whose gathers were slowed down by microcode in 2023.
  static const bool fast = [] {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned avx_vnni = 1U << 4;
    return __builtin_cpu_supports("avx2") != 0 && __get_cpuid_count(7, 1, &a, &b, &c, &d) != 0 &&
           (a & avx_vnni) != 0;
  }();
  // Others that were not slowed down save arithmetic.
  static const bool saves_arithmetic = __builtin_cpu_is("amd") != 0 && __builtin_cpu_supports("avx512f") != 0;
  return fast || saves_arithmetic;
}

[[gnu::target("avx2")]] void gather_steps(const PackedNodes& nodes, int steps, const std::uint32_t* bits,
                                          std::size_t stride, const WalkingRows& walking) {
  const BitStep step{nodes, bits};
  const __m256i row_length = _mm256_set1_epi32(static_cast<int>(stride));
  for (std::size_t begin = 0; begin < walking.count; begin += WalkingRows::together) {
    __m256i rows[vectors_of_rows];
    __m256i places[vectors_of_rows];
    for (std::size_t v = 0; v < vectors_of_rows; ++v) {
      rows[v] = _mm256_mullo_epi32(load_lanes(walking.rows + begin + rows_in_vector * v), row_length);
      places[v] = load_lanes(walking.places + begin + rows_in_vector * v);
    }
    for (int s = 0; s < steps; ++s) {
#pragma GCC unroll 4
      for (std::size_t v = 0; v < vectors_of_rows; ++v) places[v] = step(places[v], rows[v]);
    }
    for (std::size_t v = 0; v < vectors_of_rows; ++v)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(walking.places + begin + rows_in_vector * v), places[v]);
  }
}

#else

bool gathers_pay() {
  return false;
}

void gather_steps(const PackedNodes& /*nodes*/, int /*steps*/, const std::uint32_t* /*bits*/,
                  std::size_t /*stride*/, const WalkingRows& /*walking*/) {}

#endif

}  // namespace coppice
