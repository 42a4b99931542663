#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/layout.h"
#include "core/data/readers/arff_header.h"
#include "core/data/readers/hierarchy.h"
#include "core/data/readers/reader.h"

namespace coppice {

/// What an attribute is for.
enum class ArffRole { input, label, target, class_label, hierarchy, group, dropped };

/// The words of nominal attributes and their positions; words of one character are found at once.
class NominalValues {
 public:
  explicit NominalValues(std::vector<std::string> words);

  const std::vector<std::string>& words() const { return words_; }
  /// The position of a one-character word, or -1.
  int single(char word) const { return single_[static_cast<unsigned char>(word)]; }
  std::optional<std::uint32_t> find(std::string_view word) const { return table_.find(word); }

 private:
  std::vector<std::string> words_;
  std::array<std::int32_t, 256> single_{};
  NameTable table_;
};

/// One attribute and how its values are understood.
struct ArffColumn {
  std::string name;
  ArffType type = ArffType::numeric;
  ArffRole role = ArffRole::input;
  std::uint32_t position = 0;  ///< among those of the same role
  std::shared_ptr<const NominalValues>
      values;                   ///< of nominal attributes; attributes with the same values share them
  int present_code = 1;         ///< of a label: the value that means "has it"; -1 if none does
  std::vector<double> numbers;  ///< of a nominal target: what its values stand for
};

/// The attributes of a dataset with their roles.
struct ArffSchema {
  std::vector<ArffColumn> columns;
  Task task = Task::multilabel;
  std::size_t inputs = 0;
  std::size_t outputs = 0;
  std::vector<std::string> output_names;
  InputColumns input_columns;
  std::optional<Hierarchy> hierarchy;
  std::vector<std::string> notes;

  /// Throws Error(data) at `reader` if the header of a further file differs.
  void require_same(const ArffHeader& header, const LineReader& reader) const;
};

/// Decides what every attribute is for. Throws Error(data).
ArffSchema make_arff_schema(const ArffHeader& header, const ReadOptions& options, const LineReader& reader);

}  // namespace coppice
