#pragma once

#include <string>
#include <vector>

namespace equiframe::audit {

struct AuditResult;

/// A fault breaks what the model claims; a note is worth knowing.
enum class Severity { kFault, kNote };

struct Finding {
  Severity severity = Severity::kFault;
  std::string code;    ///< "lab-sign", for programs
  std::string title;   ///< a plain sentence: what is wrong
  std::string detail;  ///< what was measured
  std::string advice;  ///< what to do
};

/// What the measurements mean. None for a model that keeps its promises.
std::vector<Finding> find_faults(const AuditResult& result);

}  // namespace equiframe::audit
