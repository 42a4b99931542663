// A plugin from the future.
#include "algorithms/plugin.h"

namespace coppice {
std::unique_ptr<Algorithm> make_best_line();
}

extern "C" {
extern const coppice::PluginDeclaration coppice_plugin;
const coppice::PluginDeclaration coppice_plugin{{coppice::plugin_abi_version + 1, 0, {}},
                                                &coppice::make_best_line};
}
