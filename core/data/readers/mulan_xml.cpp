#include "core/data/readers/mulan_xml.h"

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/data/readers/parts.h"

namespace coppice {

namespace {

/// The subset of XML that label files use: a prologue, comments, and the elements `labels` and `label`.
class LabelXml {
 public:
  explicit LabelXml(const InputFile& file) : name_(file.path.string()) {
    LineReader reader = file.open();
    std::string_view line;
    while (reader.next(line)) text_.append(line).push_back('\n');
  }

  std::vector<XmlLabel> read() {
    skip_outside();
    if (position_ == text_.size())
      fail("the file is empty; expected <labels> with <label name=\"…\"> inside");
    if (open_tag() != "labels") fail("expected the element <labels>");
    read_children();
    skip_outside();
    if (position_ != text_.size()) fail("expected nothing after </labels>");
    return std::move(labels_);
  }

 private:
  /// Everything up to the end tag of the element that was just opened, nested labels included.
  void read_children() {
    if (tag_is_closed_) return;
    std::vector<std::string> open{tag_};
    while (!open.empty()) {
      skip_outside();
      if (position_ == text_.size()) fail(fmt::format("the file ends inside <{}>", open.back()));
      if (text_.compare(position_, 2, "</") == 0) {
        position_ += 2;
        if (word() != open.back()) fail(fmt::format("expected </{}>", open.back()));
        skip_blank_text();
        expect('>');
        open.pop_back();
      } else {
        if (open_tag() != "label") fail("expected the element <label>");
        if (!tag_is_closed_) open.emplace_back("label");
      }
    }
  }

  /// Reads a start tag and keeps its attribute `name` as a label, if it is one.
  const std::string& open_tag() {
    const std::size_t start = position_;
    expect('<');
    tag_ = word();
    tag_is_closed_ = false;
    bool named = false;
    while (true) {
      skip_blank_text();
      if (position_ == text_.size()) fail("the file ends inside a tag");
      if (text_[position_] == '>' || text_[position_] == '/') break;
      const Location place = here();
      const std::string attribute = word();
      skip_blank_text();
      expect('=');
      skip_blank_text();
      std::string value = quoted();
      if (tag_ == "label" && attribute == "name") {
        if (value.empty()) throw Error(ErrorKind::data, "a label with an empty name", place);
        if (!seen_.add(value, 0))
          throw Error(ErrorKind::data, fmt::format("the label '{}' occurs twice", excerpt(value)), place);
        labels_.push_back({std::move(value), place});
        named = true;
      }
    }
    if (text_[position_] == '/') {
      ++position_;
      tag_is_closed_ = true;
    }
    expect('>');
    if (tag_ == "label" && !named) {
      position_ = start;
      fail("a <label> without name=\"…\"");
    }
    return tag_;
  }

  std::string word() {
    const std::size_t start = position_;
    while (position_ < text_.size() &&
           std::string_view(" \t\n<>/='\"").find(text_[position_]) == std::string::npos)
      ++position_;
    if (position_ == start) fail("expected a name");
    return text_.substr(start, position_ - start);
  }

  std::string quoted() {
    if (position_ == text_.size() || (text_[position_] != '"' && text_[position_] != '\''))
      fail("expected a value in quotes");
    const char quote = text_[position_++];
    std::string value;
    while (position_ < text_.size() && text_[position_] != quote) {
      if (text_[position_] == '<') fail("'<' inside a value; write &lt;");
      value += text_[position_] == '&' ? entity() : std::string(1, text_[position_++]);
    }
    if (position_ == text_.size()) fail("a value without its closing quote");
    ++position_;
    return value;
  }

  std::string entity() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> known{
        {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}}};
    for (const auto& [name, character] : known)
      if (text_.compare(position_, name.size(), name) == 0) {
        position_ += name.size();
        return std::string(character);
      }
    const std::size_t end = text_.find(';', position_);
    if (end != std::string::npos && end - position_ < 12 && text_.compare(position_, 2, "&#") == 0) {
      const bool hexadecimal = text_[position_ + 2] == 'x';
      const char* const first = text_.data() + position_ + (hexadecimal ? 3 : 2);
      std::uint32_t code = 0;
      const auto result = std::from_chars(first, text_.data() + end, code, hexadecimal ? 16 : 10);
      if (result.ec == std::errc() && result.ptr == text_.data() + end && code > 0 && code < 0x110000) {
        position_ = end + 1;
        return utf8(code);
      }
    }
    fail("an unknown entity; a plain & is written &amp;");
  }

  static std::string utf8(std::uint32_t code) {
    const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
    const auto tail = [&](std::uint32_t shift) { return byte(0x80U | ((code >> shift) & 0x3fU)); };
    if (code < 0x80) return {byte(code)};
    if (code < 0x800) return {byte(0xc0U | (code >> 6U)), tail(0)};
    if (code < 0x10000) return {byte(0xe0U | (code >> 12U)), tail(6), tail(0)};
    return {byte(0xf0U | (code >> 18U)), tail(12), tail(6), tail(0)};
  }

  void skip_blank_text() {
    while (position_ < text_.size() && std::string_view(" \t\n").find(text_[position_]) != std::string::npos)
      ++position_;
  }

  /// Blanks, comments, the prologue.
  void skip_outside() {
    while (true) {
      skip_blank_text();
      if (text_.compare(position_, 4, "<!--") == 0)
        skip_past("-->");
      else if (text_.compare(position_, 2, "<?") == 0)
        skip_past("?>");
      else if (text_.compare(position_, 9, "<!DOCTYPE") == 0)
        skip_past(">");
      else
        return;
    }
  }

  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, position_);
    if (found == std::string::npos) fail(fmt::format("the file ends before '{}'", end));
    position_ = found + end.size();
  }

  void expect(char character) {
    if (position_ == text_.size() || text_[position_] != character)
      fail(fmt::format("expected '{}'", character));
    ++position_;
  }

  /// Counts lines on from where it was asked last: places are asked for in ascending order, but for errors.
  Location here() {
    if (position_ < counted_) {
      counted_ = 0;
      line_ = 1;
      line_start_ = 0;
    }
    for (; counted_ < position_; ++counted_)
      if (text_[counted_] == '\n') {
        ++line_;
        line_start_ = counted_ + 1;
      }
    return {name_, line_, static_cast<int>(position_ - line_start_) + 1};
  }

  [[noreturn]] void fail(const std::string& message) { throw Error(ErrorKind::data, message, here()); }

  std::string name_;
  std::string text_;
  std::size_t position_ = 0;
  std::size_t counted_ = 0;  ///< how far lines are counted
  int line_ = 1;
  std::size_t line_start_ = 0;
  std::string tag_;
  bool tag_is_closed_ = false;
  NameTable seen_;
  std::vector<XmlLabel> labels_;
};

}  // namespace

std::vector<XmlLabel> read_mulan_labels(const InputFile& file) {
  std::vector<XmlLabel> labels = LabelXml(file).read();
  if (labels.empty()) throw Error(ErrorKind::data, "no <label> inside <labels>", {file.path.string(), 0, 0});
  return labels;
}

}  // namespace coppice
