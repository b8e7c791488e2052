#pragma once

/// One shared set of law functions: tests, `equiframe check` and reports all use these numbers, and
/// they are installed, so that a group or frame of your own gets the same suite.
#include "equiframe/testing/frame_laws.h"
#include "equiframe/testing/group_laws.h"
#include "equiframe/testing/random_backbone.h"
#include "equiframe/testing/tolerance.h"
