#include "core/tree/key_sort.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "core/base/random.h"

using namespace coppice;

namespace {

std::vector<bool> vectors() {
  return has_widest_vectors() ? std::vector<bool>{false, true} : std::vector<bool>{false};
}

}  // namespace

TEST_CASE_TEMPLATE("keys are sorted by code, however many there are and however their codes are spread", Keys,
                   SortedKeys<std::uint32_t, 16>, SortedKeys<std::uint64_t, 32>) {
  Stream stream(1);
  for (const std::size_t count :
       {1U, 2U, 3U, 7U, 8U, 9U, 12U, 13U, 16U, 17U, 32U, 39U, 40U, 41U, 64U, 128U, 129U, 500U, 5000U}) {
    for (const std::uint64_t codes : {1U, 2U, 10U, 700U, 65536U}) {
      Keys sorted;
      std::uint32_t lowest = 65535;
      std::uint32_t highest = 0;
      for (std::uint32_t id = 0; id < count; ++id) {
        // Codes crowd at one end.
        const auto code = static_cast<std::uint32_t>(stream.below(stream.below(codes) + 1));
        lowest = std::min(lowest, code);
        highest = std::max(highest, code);
        sorted.keys.push_back(Keys::make(code, id));
      }
      auto expected = sorted.keys;
      std::sort(expected.begin(), expected.end());
      const auto given = sorted.keys;
      for (const bool widest : vectors()) {
        sorted.keys = given;
        sorted.order.sort(sorted.keys, lowest, highest, widest);
        REQUIRE(sorted.keys.size() == count);
        bool in_order = true;
        for (std::size_t i = 0; i < count; ++i)
          in_order = in_order && Keys::code(sorted.keys[i]) == Keys::code(expected[i]);
        CHECK(in_order);
        std::sort(sorted.keys.begin(), sorted.keys.end());
        CHECK(sorted.keys == expected);
      }
    }
  }
}

TEST_CASE("keys are made of codes and numbers, and their range is known, with any vectors") {
  Stream stream(2);
  for (const std::size_t count : {1U, 7U, 8U, 9U, 100U}) {
    std::vector<std::uint16_t> codes(count + 3);
    for (std::uint16_t& code : codes) code = static_cast<std::uint16_t>(stream.below(65536));
    std::vector<std::uint32_t> places(count);
    std::vector<std::uint32_t> ids(count);
    for (std::size_t i = 0; i < count; ++i) {
      places[i] = static_cast<std::uint32_t>(stream.below(codes.size()));
      ids[i] = static_cast<std::uint32_t>(stream.below(65536));
    }
    for (const bool widest : vectors()) {
      std::vector<std::uint32_t> keys(count);
      const CodeRange range =
          make_code_keys(codes.data(), places.data(), ids.data(), count, keys.data(), widest);
      std::uint32_t lowest = 65535;
      std::uint32_t highest = 0;
      for (std::size_t i = 0; i < count; ++i) {
        CHECK(keys[i] == (std::uint32_t{codes[places[i]]} << 16 | ids[i]));
        lowest = std::min<std::uint32_t>(lowest, codes[places[i]]);
        highest = std::max<std::uint32_t>(highest, codes[places[i]]);
      }
      CHECK(range.lowest == lowest);
      CHECK(range.highest == highest);
    }
  }
}
