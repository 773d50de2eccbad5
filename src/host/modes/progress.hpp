#pragma once

#include <functional>
#include <string>

namespace scree::modes {

/// A function that is called with a few words about the present step of a long computation.
using Progress = std::function<void(const std::string&)>;

}  // namespace scree::modes
