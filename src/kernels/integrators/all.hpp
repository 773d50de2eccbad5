#pragma once

/// All integrators of scree/rotation_schemes.def.
#include "kernels/integrators/fincham.hpp"
#include "kernels/integrators/omelyan.hpp"
#include "kernels/integrators/spiral.hpp"
