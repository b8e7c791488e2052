// The tables that the terminal and the page share.
#pragma once

#include "equiframe/audit/audit.h"
#include "report/table.h"

namespace equiframe::audit {

report::Table symmetry_table(const AuditResult& result);
report::Table hard_table(const AuditResult& result);
report::Table path_table(const AuditResult& result);
report::Table census_table(const Census& census);

/// Whether float32 costs more than rounding explains; empty if nothing is exact.
std::string rounding_line(const AuditResult& result);
/// "E(3): point -> vector; 8 inputs of 16 nodes"
std::string subject_line(const AuditResult& result);
/// The whole story in a sentence or two.
std::string summary_of(const AuditResult& result);

}  // namespace equiframe::audit
