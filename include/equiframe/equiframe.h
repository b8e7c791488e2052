#pragma once

/// Everything a user of Equiframe needs. The rooms, bottom up: runtime, core,
/// groups, frames, averaging.
#include "equiframe/averaging/average.h"
#include "equiframe/averaging/frame_average.h"
#include "equiframe/averaging/make_equivariant.h"
#include "equiframe/averaging/quotient.h"
#include "equiframe/averaging/theorems.h"
#include "equiframe/frames/frame.h"
#include "equiframe/frames/generic.h"
#include "equiframe/groups/any_group.h"
#include "equiframe/groups/product.h"
#include "equiframe/runtime/blas.h"
#include "equiframe/version.h"
