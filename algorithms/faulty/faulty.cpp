#include "algorithms/faulty/faulty.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "algorithms/registry.h"
#include "core/base/error.h"
#include "core/parameters/declare.h"

namespace coppice {

namespace {

/// Takes memory until there is none, and uses it.
void allocate_everything(const Context& context) {
  constexpr std::size_t piece = std::size_t{64} << 20;
  std::vector<std::vector<char>> pieces;
  while (true) {
    context.check_stop();
    pieces.emplace_back(piece, 'x');
  }
}

class Faulty : public Algorithm {
 public:
  Faulty() {
    description_.name = "faulty";
    description_.summary = "Predicts a constant, unless it is asked to misbehave.";
    description_.reference = "for tests";
    description_.parameters = {
        choice_parameter(
            "how",
            {"well", "error", "exception", "number", "memory", "allocate", "loop", "hang", "abort", "crash",
             "exit"},
            "What it does: well; throws an error of ours, of the standard library, a number, or for want of "
            "memory; allocates until there is none; loops for ever and polls for a stop, or does "
            "not; aborts, crashes, or ends the process.",
            "for tests"),
        number_parameter("milliseconds", ParameterType::integer, "0", "0", "How long it takes before that.",
                         "", "for tests"),
        number_parameter("bytes", ParameterType::real, "0", "0", "Memory that it says it needs.", "",
                         "for tests")};
  }

  const AlgorithmDescription& description() const override { return description_; }

  FitCost cost(const Parameters& parameters, const ProblemSize& /*size*/) const override {
    return {1.0 + static_cast<double>(parameters.integer("milliseconds")), parameters.real("bytes")};
  }

  std::unique_ptr<Model> fit(const DatasetView& train, const Parameters& parameters,
                             const Context& context) const override {
    for (std::int64_t passed = 0; passed < parameters.integer("milliseconds"); ++passed) wait(context);
    const std::string& how = parameters.word("how");
    if (how == "error") throw Error(ErrorKind::fit, "asked to fail");
    if (how == "exception") throw std::runtime_error("surprise");
    if (how == "number") throw 42;
    if (how == "memory") throw std::bad_alloc();
    if (how == "allocate") allocate_everything(context);
    while (how == "loop") wait(context);
    while (how == "hang") std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (how == "abort") std::abort();
    if (how == "crash") std::raise(SIGSEGV);
    if (how == "exit") std::_Exit(3);
    return Registry::instance().get("constant").fit(train, {}, context);
  }

  std::unique_ptr<Model> load(const std::shared_ptr<const ModelReader>& reader) const override {
    reader->fail("was made by 'faulty', which is for tests");
  }

 private:
  static void wait(const Context& context) {
    context.check_stop();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  AlgorithmDescription description_;
};

}  // namespace

std::unique_ptr<Algorithm> make_faulty() {
  return std::make_unique<Faulty>();
}

}  // namespace coppice
