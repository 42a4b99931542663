#pragma once

#include <memory>

#include "core/data/readers/reader.h"
#include "experiments/data/source.h"

namespace coppice {

/// A source that reads files when it is asked, and again only after everybody let go of the data.
std::unique_ptr<DatasetSource> make_read_source(ReadOptions options);

/// A source for an entry with the option `file`. Adds what is wrong to `problems` and returns null then.
std::unique_ptr<DatasetSource> make_file_source(const DatasetEntry& entry, Problems& problems);

/// Complains about every option that is none of `known`.
void require_known_options(const DatasetEntry& entry, const std::vector<std::string>& known,
                           Problems& problems);

}  // namespace coppice
