#pragma once

namespace scree::python {

/// From now on errors of scree become those of the module scree.errors, with the sentences of the command line.
void translate_errors();

}  // namespace scree::python
