#pragma once

/// One shared set of law functions: tests, `equiframe check` and reports all use these numbers, and
/// they are installed, so that a group or frame of your own gets the same suite.
#include "equiframe/laws/frame_laws.h"
#include "equiframe/laws/group_laws.h"
#include "equiframe/laws/random_backbone.h"
#include "equiframe/laws/tolerance.h"
