#include "experiments/config/protocols.h"

namespace coppice {

const std::vector<ProtocolDescription>& protocol_descriptions() {
  static const std::vector<ProtocolDescription> descriptions{
      {"given", "test: given",
       "The split that came with the data; a generator draws fresh training and test rows of its own sizes "
       "for each repeat, unless it has a seed.",
       "thesis 2.3"},
      {"holdout", "test: {holdout: 0.33}",
       "That share of the rows is drawn at random for testing, anew for each repeat.", "thesis 2.3"},
      {"kfold", "test: {kfold: 10}",
       "The rows are cut at random into that many parts; each is the test part once. Repeats cut anew.",
       "thesis 2.3"}};
  return descriptions;
}

}  // namespace coppice
