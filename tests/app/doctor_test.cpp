/// What the program makes of a machine that is not as it should be.
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.h"
#include "tests/support/temporary_folder.h"

namespace {

using equiframe::app_test::Outcome;
using equiframe::app_test::run_program;
using equiframe::test_support::TemporaryFolder;

TEST(Doctor, NamesTheNanFaultOfAKernelLeftInPlace) {
  const Outcome result = run_program(
      "doctor --json", "env -u EQUIFRAME_BLAS_FIX OPENBLAS_CORETYPE=Prescott", "2>/dev/null");
  const auto report = nlohmann::json::parse(result.out);
  if (report["blas"]["kernel"] != "Prescott" || report["blas"]["expected"] == "")
    GTEST_SKIP() << "no OpenBLAS here that could run the wrong kernel";
  EXPECT_EQ(report["blas"]["repair"], "users-choice");
  if (report["blas"]["nan_fault"] == false) GTEST_SKIP() << "this OpenBLAS has mended the fault";
  EXPECT_EQ(result.code, 1);
  int named = 0;
  for (const auto& finding : report["findings"]) {
    if (finding["what"].get<std::string>().find("one matrix product with NaN") == std::string::npos)
      continue;
    ++named;
    EXPECT_EQ(finding["severity"], "bad");
    EXPECT_EQ(finding["fix"], "unset OPENBLAS_CORETYPE");
  }
  EXPECT_EQ(named, 1) << result.out;
}

/// Before, a team of 999 threads took over 25 s for 24 points.
TEST(Program, AsksForNoMoreThreadsThanThereAreCores) {
  const Outcome doctor = run_program("doctor --json", "OMP_NUM_THREADS=999", "2>/dev/null");
  const auto report = nlohmann::json::parse(doctor.out);
  for (const char* kind : {"intra_op", "blas"})
    EXPECT_LE(report["threads"][kind], report["cpu"]["usable_cores"]) << kind;
  EXPECT_NE(doctor.out.find("999 threads on"), std::string::npos) << doctor.out;
  const TemporaryFolder folder;
  const std::string cloud_file = (folder.path() / "cloud.xyz").string();
  std::ofstream cloud(cloud_file);
  for (int i = 0; i < 24; ++i) cloud << i % 3 << ' ' << i / 3 << ' ' << (i * i) % 7 << '\n';
  cloud.close();
  const Outcome result = run_program("normals " + cloud_file + " -o " + cloud_file + ".ply",
                                     "OMP_NUM_THREADS=999 timeout 10");
  EXPECT_EQ(result.code, 0) << result.out;
}

}  // namespace
