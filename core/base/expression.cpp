#include "core/base/expression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/nearest_name.h"
#include "core/base/portable_math.h"

namespace coppice {

namespace {

constexpr int deepest_nesting = 100;

double logarithm2(double x) {
  return portable_log(x) / portable_log(2.0);
}
double logarithm10(double x) {
  return portable_log(x) / portable_log(10.0);
}
double root(double x) {
  return std::sqrt(x);
}
double absolute(double x) {
  return std::abs(x);
}
double floor_of(double x) {
  return std::floor(x);
}
double ceiling_of(double x) {
  return std::ceil(x);
}
double round_of(double x) {
  return std::round(x);
}

struct Function {
  std::string_view name;
  double (*apply)(double);
};

constexpr std::array<Function, 9> functions{{{"sqrt", root},
                                             {"ln", portable_log},
                                             {"log2", logarithm2},
                                             {"log10", logarithm10},
                                             {"exp", portable_exp},
                                             {"abs", absolute},
                                             {"floor", floor_of},
                                             {"ceil", ceiling_of},
                                             {"round", round_of}}};

}  // namespace

struct Expression::Node {
  enum class Kind {
    number,
    variable,
    function,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    minimum,
    maximum
  };

  Kind kind = Kind::number;
  double number = 0.0;
  char variable = 0;
  double (*function)(double) = nullptr;
  std::vector<std::shared_ptr<const Node>> children;

  double evaluate(const ExpressionVariables& variables) const {
    const auto child = [&](std::size_t i) { return children[i]->evaluate(variables); };
    switch (kind) {
      case Kind::number:
        return number;
      case Kind::variable:
        return variable == 'n' ? variables.n : variable == 'p' ? variables.p : variables.d;
      case Kind::function:
        return function(child(0));
      case Kind::add:
        return child(0) + child(1);
      case Kind::subtract:
        return child(0) - child(1);
      case Kind::multiply:
        return child(0) * child(1);
      case Kind::divide:
        return child(0) / child(1);
      case Kind::power:
        return portable_pow(child(0), child(1));
      case Kind::negate:
        return -child(0);
      case Kind::minimum:
        return std::min(child(0), child(1));
      case Kind::maximum:
        return std::max(child(0), child(1));
    }
    return 0.0;
  }

  bool is_constant() const {
    if (kind == Kind::variable) return false;
    for (const auto& child : children)
      if (!child->is_constant()) return false;
    return true;
  }
};

namespace {

using Node = Expression::Node;
using NodePointer = std::shared_ptr<const Node>;

/// Recursive descent: sum → product → power → sign → atom.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePointer parse() {
    NodePointer node = sum();
    skip_spaces();
    if (position_ < text_.size()) fail(fmt::format("unexpected '{}'", text_.substr(position_)));
    return node;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(
        ErrorKind::config,
        fmt::format(
            "'{}' is not a number or an expression of n (training rows), p (features) and d (outputs): {}",
            text_, why));
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }

  bool take(char symbol) {
    skip_spaces();
    if (position_ >= text_.size() || text_[position_] != symbol) return false;
    ++position_;
    return true;
  }

  static NodePointer make(Node::Kind kind, std::vector<NodePointer> children) {
    auto node = std::make_shared<Node>();
    node->kind = kind;
    node->children = std::move(children);
    return node;
  }

  NodePointer sum() {
    if (++depth_ > deepest_nesting) fail("too deeply nested");
    NodePointer left = product();
    while (true) {
      if (take('+')) {
        left = make(Node::Kind::add, {left, product()});
      } else if (take('-')) {
        left = make(Node::Kind::subtract, {left, product()});
      } else {
        --depth_;
        return left;
      }
    }
  }

  NodePointer product() {
    NodePointer left = power();
    while (true) {
      if (take('*')) {
        left = make(Node::Kind::multiply, {left, power()});
      } else if (take('/')) {
        left = make(Node::Kind::divide, {left, power()});
      } else {
        return left;
      }
    }
  }

  NodePointer power() {
    NodePointer base = sign();
    if (take('^')) {
      if (++depth_ > deepest_nesting) fail("too deeply nested");
      NodePointer exponent = power();
      --depth_;
      return make(Node::Kind::power, {base, exponent});
    }
    return base;
  }

  NodePointer sign() {
    if (take('-')) {
      if (++depth_ > deepest_nesting) fail("too deeply nested");
      NodePointer operand = power();
      --depth_;
      return make(Node::Kind::negate, {operand});
    }
    return atom();
  }

  NodePointer atom() {
    skip_spaces();
    if (take('(')) {
      NodePointer inner = sum();
      if (!take(')')) fail("a ')' is missing");
      return inner;
    }
    if (position_ >= text_.size()) fail(text_.empty() ? "it is empty" : "it ends too early");
    const char first = text_[position_];
    if ((first >= '0' && first <= '9') || first == '.') return number();
    if ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z')) return name();
    fail(fmt::format("unexpected '{}'", text_.substr(position_)));
  }

  NodePointer number() {
    double value = 0.0;
    const char* begin = text_.data() + position_;
    const auto [end, code] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (code != std::errc() || !std::isfinite(value))
      fail(fmt::format("'{}' is not a number", text_.substr(position_)));
    position_ += static_cast<std::size_t>(end - begin);
    auto node = std::make_shared<Node>();
    node->number = value;
    return node;
  }

  NodePointer name() {
    const std::size_t start = position_;
    while (position_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[position_])) != 0))
      ++position_;
    const std::string_view word = text_.substr(start, position_ - start);
    if (word == "n" || word == "p" || word == "d") {
      auto node = std::make_shared<Node>();
      node->kind = Node::Kind::variable;
      node->variable = word[0];
      return node;
    }
    if (word == "min" || word == "max") {
      if (!take('(')) fail(fmt::format("'{}' needs two arguments in parentheses", word));
      NodePointer first = sum();
      if (!take(',')) fail(fmt::format("'{}' takes two arguments", word));
      NodePointer second = sum();
      if (!take(')')) fail("a ')' is missing");
      return make(word == "min" ? Node::Kind::minimum : Node::Kind::maximum, {first, second});
    }
    for (const Function& function : functions) {
      if (function.name != word) continue;
      if (!take('(')) fail(fmt::format("'{}' needs an argument in parentheses", word));
      auto node = std::make_shared<Node>();
      node->kind = Node::Kind::function;
      node->function = function.apply;
      node->children = {sum()};
      if (!take(')')) fail("a ')' is missing");
      return node;
    }
    std::vector<std::string> known{"n", "p", "d", "min", "max"};
    for (const Function& function : functions) known.emplace_back(function.name);
    const auto nearest = nearest_name(word, known);
    fail(fmt::format("unknown name '{}'{}", word,
                     nearest ? fmt::format(" (did you mean {}?)", *nearest) : ""));
  }

  std::string_view text_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace

Expression::Expression(std::string text, std::shared_ptr<const Node> root)
    : text_(std::move(text)), root_(std::move(root)) {}

Expression Expression::parse(std::string_view text) {
  return {std::string(text), Parser(text).parse()};
}

Expression Expression::constant(double value) {
  auto node = std::make_shared<Node>();
  node->number = value;
  return {fmt::format("{}", value), node};
}

double Expression::evaluate(const ExpressionVariables& variables) const {
  return root_->evaluate(variables);
}

bool Expression::is_constant() const {
  return root_->is_constant();
}

}  // namespace coppice
