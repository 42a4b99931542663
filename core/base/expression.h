#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace coppice {

/// The sizes that an expression in a config may speak of.
struct ExpressionVariables {
  double n = 0;  ///< training rows
  double p = 0;  ///< features
  double d = 0;  ///< outputs
};

/// A number that may depend on the data: `100`, `sqrt(p)`, `ln(d)`, `p/3`, `max(1, 0.1*p)`.
/// Operators + - * / ^ and parentheses; functions sqrt, ln, log2, log10, exp, abs, floor, ceil, round, min,
/// max.
class Expression {
 public:
  /// Throws Error(config) that names the offending part.
  static Expression parse(std::string_view text);
  static Expression constant(double value);

  double evaluate(const ExpressionVariables& variables) const;
  /// Whether the value is the same for all data.
  bool is_constant() const;
  /// The text it was made from.
  const std::string& text() const { return text_; }

  struct Node;

 private:
  Expression(std::string text, std::shared_ptr<const Node> root);

  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace coppice
