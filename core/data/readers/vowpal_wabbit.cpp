#include <algorithm>

#include <fmt/format.h>

#include "core/data/readers/labelled_rows.h"
#include "core/data/readers/numbers.h"

namespace coppice {

namespace {

/// Reads lines `label | feature:value feature …`; a feature without value has 1. Features are numbers or
/// names: the first one of the file decides.
class VowpalWabbit {
 public:
  explicit VowpalWabbit(const ReadOptions& options) : options_(options), rows_(options) {}

  ReadResult read() {
    for (const InputFile& file : options_.train) read_file(file);
    rows_.end_of_training();
    for (const InputFile& file : options_.test) read_file(file);
    if (kind_ == Kind::names) rows_.set_feature_names(std::move(names_));
    return rows_.finish();
  }

 private:
  enum class Kind { unknown, numbers, names };
  struct Pair {
    std::uint32_t feature;
    double value;
    const char* at;
    const char* value_at;
  };

  void read_file(const InputFile& file) {
    LineReader reader = file.open();
    std::string_view line;
    while (reader.next(line)) {
      if (trim(line).empty()) continue;
      const std::size_t bar = line.find('|');
      if (bar == std::string_view::npos)
        reader.fail(line.data(),
                    fmt::format("expected 'label | feature:value …', found '{}'", excerpt(line)));
      rows_.begin_row(reader);
      read_labels(reader, line.substr(0, bar));
      read_features(reader, line.data() + bar, line.data() + line.size());
    }
  }

  void read_labels(const LineReader& reader, std::string_view text) {
    const char* const end = text.data() + text.size();
    const char* at = skip_blanks(text.data());
    if (at == end) return;
    // The bar may follow the label at once: it ends a number like a blank does.
    at = skip_blanks(rows_.add_labels(reader, at, end));
    if (at != end)
      reader.fail(at,
                  fmt::format("expected '|' after the label, found '{}'; importance weights and tags are not "
                              "supported",
                              excerpt(word_at(at, end))));
  }

  void read_features(const LineReader& reader, const char* at, const char* end) {
    pairs_.clear();
    std::string_view space;
    while (at != end) {
      if (*at == '|') {
        space = word_at(at + 1, end);
        at += 1 + space.size();
      } else {
        at = read_pair(reader, at, end, space);
      }
      at = skip_blanks(at);
    }
    if (kind_ == Kind::names) {
      std::sort(pairs_.begin(), pairs_.end(),
                [](const Pair& a, const Pair& b) { return a.feature < b.feature; });
      for (std::size_t i = 1; i < pairs_.size(); ++i)
        if (pairs_[i].feature == pairs_[i - 1].feature)
          reader.fail(pairs_[i].at,
                      fmt::format("feature '{}' occurs twice in a row", names_[pairs_[i].feature]));
    }
    for (const Pair& pair : pairs_)
      rows_.add_feature(pair.feature, pair.value, reader, pair.at, pair.value_at);
  }

  const char* read_pair(const LineReader& reader, const char* at, const char* end, std::string_view space) {
    const std::string_view word = word_at(at, end);
    const std::size_t colon = word.rfind(':');
    const std::string_view name = word.substr(0, colon);
    if (name.empty()) reader.fail(at, "expected the name or number of a feature before ':'");
    Pair pair{0, 1.0, at, at};
    if (colon != std::string_view::npos) {
      pair.value_at = at + colon + 1;
      if (parse_real(pair.value_at, pair.value) != at + word.size())
        reader.fail(pair.value_at, fmt::format("expected a finite number as value, found '{}'",
                                               excerpt(word.substr(colon + 1))));
    }
    const bool number = parse_index(at, pair.feature) == at + name.size();
    if (kind_ == Kind::unknown) kind_ = number ? Kind::numbers : Kind::names;
    if (kind_ == Kind::numbers && !number)
      reader.fail(at,
                  fmt::format("expected a number as feature, like those before, found '{}'", excerpt(name)));
    if (kind_ == Kind::names)
      pair.feature = position_of(space.empty() ? std::string(name) : fmt::format("{}^{}", space, name));
    pairs_.push_back(pair);
    return at + word.size();
  }

  std::uint32_t position_of(const std::string& name) {
    if (const auto found = table_.find(name)) return *found;
    const auto position = static_cast<std::uint32_t>(names_.size());
    table_.add(name, position);
    names_.push_back(name);
    return position;
  }

  const ReadOptions& options_;
  LabelledRows rows_;
  Kind kind_ = Kind::unknown;
  NameTable table_;
  std::vector<std::string> names_;
  std::vector<Pair> pairs_;
};

}  // namespace

ReadResult read_vowpal_wabbit(const ReadOptions& options) {
  return VowpalWabbit(options).read();
}

}  // namespace coppice
