#include "core/data/readers/arff_header.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace coppice {

const char* read_arff_word(const LineReader& reader, const char* at, const char* end, std::string_view stops,
                           std::string& word) {
  word.clear();
  if (at != end && (*at == '\'' || *at == '"')) {
    const char quote = *at;
    const char* const start = at;
    const char* piece = ++at;
    for (; at != end && *at != quote; ++at) {
      if (*at != '\\' || at + 1 == end) continue;
      word.append(piece, at);
      piece = ++at;
    }
    if (at == end) reader.fail(start, fmt::format("the quote {} is not closed", quote));
    word.append(piece, at);
    return at + 1;
  }
  const char* const start = at;
  while (at != end && *at != ' ' && *at != '\t' && stops.find(*at) == std::string_view::npos) ++at;
  word.assign(start, at);
  return at;
}

namespace {

/// `{a, 'b c', d}`
const char* read_values(const LineReader& reader, const char* at, const char* end, ArffAttribute& attribute) {
  NameTable seen;
  std::string value;
  ++at;
  while (true) {
    at = skip_blanks(at);
    if (at == end) reader.fail(at, "the list of values is not closed with '}'");
    if (*at == '}') return at + 1;
    const char* const start = at;
    at = read_arff_word(reader, at, end, ",}", value);
    // A plain value may have blanks inside: it goes up to the next comma.
    while (*start != '\'' && *start != '"' && at != end && *at != ',' && *at != '}') value += *at++;
    if (*start != '\'' && *start != '"') value = std::string(trim(value));
    at = skip_blanks(at);
    if (at == end || (*at != ',' && *at != '}'))
      reader.fail(at, "expected ',' or '}' after a value of the list");
    if (!seen.add(value, 0))
      reader.fail(start, fmt::format("the value '{}' is listed twice", excerpt(value)));
    attribute.values.push_back(value);
    if (*at == ',') ++at;
  }
}

/// `a/b,a/c,…` up to the end of the line
const char* read_hierarchy(const LineReader& reader, const char* at, const char* end,
                           ArffAttribute& attribute) {
  at = skip_blanks(at);
  std::string_view rest = trim({at, static_cast<std::size_t>(end - at)});
  if (rest.empty()) reader.fail(at, "the hierarchy is empty; expected its nodes joined by ','");
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = trim(rest.substr(0, comma));
    if (item.empty()) reader.fail(rest.data(), "an empty item in the hierarchy");
    attribute.values.emplace_back(item);
    if (comma == std::string_view::npos) return end;
    rest.remove_prefix(comma + 1);
  }
}

ArffAttribute read_attribute(const LineReader& reader, const char* at, const char* end) {
  ArffAttribute attribute;
  at = skip_blanks(at);
  attribute.line = reader.line_number();
  attribute.column = reader.column(at);
  const char* const name = at;
  at = read_arff_word(reader, at, end, "", attribute.name);
  if (attribute.name.empty()) reader.fail(name, "expected the name of an attribute");
  at = skip_blanks(at);
  if (at != end && *at == '{') {
    attribute.type = ArffType::nominal;
    at = read_values(reader, at, end, attribute);
  } else {
    const char* const start = at;
    std::string word;
    at = read_arff_word(reader, at, end, "{[", word);
    if (equals_word(word, "hierarchical")) {
      attribute.type = ArffType::hierarchical;
      at = read_hierarchy(reader, at, end, attribute);
    } else if (equals_word(word, "string") || equals_word(word, "date")) {
      attribute.type = ArffType::text;
      return attribute;
    } else if (!equals_word(word, "numeric") && !equals_word(word, "real") && !equals_word(word, "integer")) {
      reader.fail(start,
                  fmt::format("attribute '{}': unknown type '{}'; expected numeric, real, integer, string, "
                              "date, hierarchical or a list of values in braces",
                              excerpt(attribute.name), excerpt(word)));
    }
  }
  at = skip_blanks(at);
  // Weka writes a range after numeric types: [0, 10]
  if (at != end && *at != '%' && !(*at == '[' && attribute.type == ArffType::numeric))
    reader.fail(at, fmt::format("expected nothing after the type of '{}', found '{}'",
                                excerpt(attribute.name), excerpt({at, static_cast<std::size_t>(end - at)})));
  return attribute;
}

}  // namespace

std::optional<int> ArffHeader::meka_labels() const {
  const std::string_view text = relation;
  for (std::size_t at = 0; at + 2 < text.size(); ++at) {
    const bool begins = at == 0 || is_blank(text[at - 1]) || text[at - 1] == ':';
    if (!begins || text[at] != '-' || (text[at + 1] != 'C' && text[at + 1] != 'c') || !is_blank(text[at + 2]))
      continue;
    const std::size_t number = std::min(text.find_first_not_of(" \t", at + 2), text.size());
    int count = 0;
    const auto result = std::from_chars(text.data() + number, text.data() + text.size(), count);
    if (result.ec != std::errc() || count == 0) return std::nullopt;
    return count;
  }
  return std::nullopt;
}

ArffHeader read_arff_header(LineReader& reader) {
  ArffHeader header;
  header.file = reader.name();
  std::string_view line;
  while (reader.next(line)) {
    const char* const end = line.data() + line.size();
    const char* at = skip_blanks(line.data());
    if (at == end || *at == '%') continue;
    const std::string_view keyword = word_at(at, end);
    const char* const rest = at + keyword.size();
    if (equals_word(keyword, "@relation")) {
      const char* const start = skip_blanks(rest);
      if (start != end && (*start == '\'' || *start == '"'))
        read_arff_word(reader, start, end, "", header.relation);
      else
        header.relation = std::string(trim({start, static_cast<std::size_t>(end - start)}));
    } else if (equals_word(keyword, "@attribute")) {
      ArffAttribute attribute = read_attribute(reader, rest, end);
      if (!header.names.add(attribute.name, static_cast<std::uint32_t>(header.attributes.size())))
        throw Error(
            ErrorKind::data,
            fmt::format("the attribute '{}' occurs twice (first in line {}); rename one",
                        excerpt(attribute.name), header.attributes[*header.names.find(attribute.name)].line),
            header.place(attribute));
      header.attributes.push_back(std::move(attribute));
    } else if (equals_word(keyword, "@data")) {
      if (header.attributes.empty()) reader.fail(at, "@data without any @attribute before it");
      return header;
    } else {
      reader.fail(at, fmt::format("expected @relation, @attribute or @data, found '{}'", excerpt(keyword)));
    }
  }
  reader.fail(reader.line_number() == 0 ? "the file is empty; expected an ARFF file"
                                        : "the file ends before @data");
}

}  // namespace coppice
