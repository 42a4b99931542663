#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "core/base/random.h"
#include "core/parameters/parameters.h"

namespace coppice {

class OutputColumns;

/// One column of a projection matrix: what one output contributes to each component.
struct ProjectionColumn {
  bool dense = true;                      ///< whether `values` has one number for each component
  std::vector<std::uint32_t> components;  ///< not dense: the components with a coefficient, ascending
  std::vector<double> values;
};

/// A matrix Φ of q components × d outputs that maps output vectors y to Φy (thesis 2.6.2). Coefficients are
/// computed when asked for, from the address of the random stream, the component and the output: no matrix is
/// stored, however many outputs there are.
class Projection {
 public:
  Projection(std::size_t size, std::size_t outputs) : size_(size), outputs_(outputs) {}
  virtual ~Projection() = default;

  /// q.
  std::size_t size() const { return size_; }
  /// d.
  std::size_t outputs() const { return outputs_; }
  /// Column `output` of Φ.
  virtual void column(std::uint32_t output, ProjectionColumn& column) const = 0;
  /// What every coefficient is a whole multiple of, by less than multiples_below. 0 if there is no such
  /// number.
  static constexpr std::int32_t multiples_below = 1 << 12;
  virtual double unit() const { return 0.0; }
  /// The columns of outputs from `first` on as multiples of the unit, one after the other with all q numbers
  /// of each, as many as there is room for: faster for kinds that make many at a time.
  virtual void multiples(std::uint32_t first, std::span<std::int32_t> values) const;
  /// projected = Φ values, where a kind knows a faster way than column by column; otherwise returns false.
  virtual bool project_row(std::span<const double> /*values*/, std::span<double> /*projected*/) const {
    return false;
  }

 private:
  std::size_t size_;
  std::size_t outputs_;
};

/// What a projection is made from.
struct ProjectionSetting {
  std::size_t size = 1;                    ///< q
  std::size_t outputs = 1;                 ///< d
  double sparsity = 1.0;                   ///< s of sparse-rademacher
  bool replacement = false;                ///< subsample: rows of the identity may come more than once
  const OutputColumns* learned = nullptr;  ///< the training outputs, for kinds that look at them
};

/// Everything there is to say about a kind of projection.
struct ProjectionDescription {
  std::string name;
  std::string summary;
  std::string reference;
  bool random = true;          ///< whether it differs from stream to stream
  bool learns = false;         ///< whether it looks at the training outputs
  std::string largest_size{};  ///< the largest q as a config would write it; empty: any
  std::string parameter{};     ///< the parameter of projection_parameters() that it alone reads
};

/// A way to make projections.
class ProjectionKind {
 public:
  virtual ~ProjectionKind() = default;
  virtual const ProjectionDescription& description() const = 0;
  /// Throws Error(config) if there is a problem.
  virtual std::unique_ptr<Projection> make(const ProjectionSetting& setting, const Stream& stream,
                                           const Context& context) const = 0;
  /// Why there is no such projection of so many outputs; empty if there is.
  virtual std::string problem(const ProjectionSetting& setting) const = 0;
};

/// The kinds of projections by name, in the order in which they are listed.
const std::vector<std::unique_ptr<ProjectionKind>>& projection_kinds();
/// Throws Error(usage) that names the nearest.
const ProjectionKind& projection_kind(const std::string& name);

/// The hyper-parameters of algorithms that project: `projection`, `size`, `sparsity`, `replacement`.
std::vector<ParameterSpec> projection_parameters();
/// The setting that the hyper-parameters describe.
ProjectionSetting projection_setting(const Parameters& parameters, std::size_t outputs);

}  // namespace coppice
