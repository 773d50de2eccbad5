#pragma once

#include <functional>
#include <string>

namespace scree::modes {

/// Called with a few words about what is done now.
using Progress = std::function<void(const std::string&)>;

}  // namespace scree::modes
