#include "core/data/sha256.h"

#include <doctest/doctest.h>

using coppice::Sha256;

namespace {

std::string sha256(const std::string& text) {
  return Sha256().add(std::as_bytes(std::span(text))).text();
}

}  // namespace

TEST_CASE("SHA-256 gives the published examples of FIPS 180-4") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("SHA-256 does not depend on how the text is cut") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 7);
  Sha256 pieces;
  for (std::size_t i = 0; i < text.size(); i += 37)
    pieces.add(std::as_bytes(std::span(text).subspan(i, std::min<std::size_t>(37, text.size() - i))));
  CHECK(pieces.text() == sha256(text));
}
