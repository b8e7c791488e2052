/// Full disks, devices, pipes, closed streams and names that are no text, as the program meets
/// them.
#include <algorithm>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <torch/script.h>
#include <unistd.h>

#include "equiframe/core/rng.h"
#include "tests/app/run_program.h"
#include "tests/support/german_numbers.h"
#include "tests/support/temporary_folder.h"

namespace equiframe::app_test {
namespace {

namespace fs = std::filesystem;
using test_support::entries;
using test_support::read_file;
using test_support::write_file;

/// No file may have more than 4 KiB, which stands for the full disk.
constexpr const char* kFullDisk = "trap '' XFSZ; ulimit -f 8;";
/// What hangs ends by a signal, and so without an exit code.
constexpr const char* kPatience = "timeout -s KILL 60";

class HostileFiles : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  std::string quoted(const std::string& name) const { return "'" + file(name) + "'"; }
  static std::string shipped(const std::string& name) {
    return (fs::path(__FILE__).parent_path() / "../../models" / (name + ".safetensors")).string();
  }
  /// A TorchScript model.
  std::string script(const std::string& name) const {
    torch::jit::Module module("Net");
    module.register_attribute("training", c10::BoolType::get(), true);
    module.register_parameter("a", torch::randn({3, 3}, make_generator(1)), false);
    module.define("def forward(self, x):\n    return torch.tanh(x @ self.a + 0.5)\n");
    module.save(file(name));
    return quoted(name);
  }
  /// A cloud of a few points.
  std::string cloud(const std::string& name) const {
    std::string text;
    for (int k = 0; k < 20; ++k)
      text += std::to_string(k % 7) + " " + std::to_string(k % 11) + " " + std::to_string(k) + "\n";
    write_file(folder_ / name, text);
    return quoted(name);
  }
  /// Exit code 2 and one line of error, the last; a slow machine may have shown progress before.
  static void expect_refused(const Outcome& result, const std::string& part) {
    EXPECT_EQ(result.code, 2) << result.out;
    const std::size_t error = result.out.rfind("equiframe: ");
    ASSERT_NE(error, std::string::npos) << result.out;
    EXPECT_NE(result.out.find(part, error), std::string::npos) << result.out;
    EXPECT_EQ(result.out.find('\n', error), result.out.size() - 1) << result.out;
    EXPECT_EQ(result.out.find("equiframe: "), error) << result.out;
  }

  test_support::TemporaryFolder folder_;
};

constexpr const char* kParticles =
    "0.5,0,0.25,1,0,0,1\n1.25,2,0,0,1,0,-1\n0,-0.5,3.5,0,0,1,1\n-2,1,0.75,0,1.5,0,-1\n";
const std::string kVectorTypes = " --group E3 --in point --out vector";

/// Before, pages became fragments and `wrap` ended by SIGABRT.
TEST_F(HostileFiles, AFullDiskLeavesWhatWasThere) {
  const std::string model = script("model.pt"), points = cloud("cloud.xyz");
  write_file(folder_ / "page", "old");
  write_file(folder_ / "out.xyz", "");
  const auto before = entries(folder_.path());
  const std::string page = quoted("page");
  for (const std::string& command :
       {"demo --out " + page, "audit " + model + kVectorTypes + " --report " + page,
        "normals " + points + " -o " + quoted("out.xyz") + " --method pca --report " + page,
        "wrap " + model + kVectorTypes + " -o " + page}) {
    const Outcome result = run_program(command, kFullDisk, "2>&1 >/dev/null");
    expect_refused(result, "cannot write '");
    EXPECT_EQ(read_file(folder_ / "page"), "old") << command;
    EXPECT_EQ(entries(folder_.path()), before) << command;
  }
}

/// Before, it became an ordinary file.
TEST_F(HostileFiles, WrapLeavesADeviceADevice) {
  const std::string model = script("model.pt");
  expect_refused(run_program("wrap " + model + kVectorTypes + " -o " + folder_.path().string()),
                 "it is a folder; add a file name");
  const fs::path null = folder_ / "null", full = folder_ / "full";
  if (mknod(null.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0 ||
      mknod(full.c_str(), S_IFCHR | 0666, makedev(1, 7)) != 0)
    GTEST_SKIP() << "no permission to make a device";
  if (access(null.c_str(), W_OK) != 0) GTEST_SKIP() << "devices do not work in this folder";
  EXPECT_EQ(run_program("wrap " + model + kVectorTypes + " -o " + quoted("null")).code, 0);
  EXPECT_TRUE(fs::is_character_file(null));
  expect_refused(run_program("wrap " + model + kVectorTypes + " -o " + quoted("full")),
                 "the disk is full");
  EXPECT_TRUE(fs::is_character_file(full));
  EXPECT_EQ(entries(folder_.path()), 3);
}

/// Before, it waited forever.
TEST_F(HostileFiles, APipeWithoutAWriterIsRefused) {
  for (const char* name : {"in.csv", "in.toml", "in.pt", "in.safetensors", "in.xyz"})
    ASSERT_EQ(mkfifo((folder_ / name).c_str(), 0666), 0);
  const std::string model = shipped("nbody-fa-verlet");
  expect_refused(run_program("predict " + model + " --in " + quoted("in.csv"), kPatience),
                 "nobody writes to this pipe");
  for (const std::string& command :
       {"model show " + quoted("in.pt"), "model verify " + quoted("in.safetensors"),
        "audit " + quoted("in.pt") + kVectorTypes, "audit " + quoted("in.safetensors"),
        "normals " + quoted("in.xyz") + " -o " + quoted("out.xyz")})
    expect_refused(run_program(command, kPatience), "it is a pipe or a device; save it as a file");
}

TEST_F(HostileFiles, APipeWithAWriterIsRead) {
  const std::string model = shipped("nbody-fa-verlet");
  write_file(folder_ / "in.csv", kParticles);
  const std::string in = quoted("in.csv"), pipe = quoted("pipe.csv"), link = quoted("stdin.csv");
  const Outcome expected = run_program("predict " + model + " --in " + in);
  ASSERT_EQ(expected.code, 0) << expected.out;
  ASSERT_EQ(mkfifo((folder_ / "pipe.csv").c_str(), 0666), 0);
  const Outcome piped = run_program("predict " + model + " --in " + pipe,
                                    "(sleep 0.5; cat " + in + ") >" + pipe + " & " + kPatience);
  EXPECT_EQ(piped.out, expected.out);
  fs::create_symlink("/dev/stdin", folder_ / "stdin.csv");
  const Outcome standard = run_program("predict " + model + " --in " + link,
                                       "(sleep 0.5; cat " + in + ") | " + kPatience);
  EXPECT_EQ(standard.out, expected.out);
}

/// Before, 10 MB took minutes and all memory.
TEST_F(HostileFiles, OneLongLineIsRefusedInOneShortLine) {
  std::string numbers, words;
  while (numbers.size() < 10'000'000) numbers += "1.5 -0.25 3 ";
  while (words.size() < 10'000'000) words += "a,b,c,";
  write_file(folder_ / "numbers.xyz", numbers);
  write_file(folder_ / "words.csv", words);
  for (const std::string& command :
       {"normals " + quoted("numbers.xyz") + " -o " + quoted("out.ply"),
        "normals " + quoted("words.csv") + " -o " + quoted("out.ply"),
        "predict " + shipped("nbody-fa-verlet") + " --in " + quoted("words.csv")}) {
    const Outcome result = run_program(command, kPatience);
    expect_refused(result, "columns");
    EXPECT_LT(result.out.size(), 400U);
  }
}

/// Before, the output was lost and the exit code 0.
TEST_F(HostileFiles, LostOutputIsAnError) {
  const std::string model = script("model.pt");
  ASSERT_EQ(run_program("wrap " + model + kVectorTypes + " -o " + quoted("wrapped.pt")).code, 0);
  for (const std::string& command :
       {"model show " + quoted("wrapped.pt"), "model show " + shipped("nbody-fa-gnn") + " --json",
        std::string("list"), std::string("--help")}) {
    expect_refused(run_program(command, "", "2>&1 >&-"), "standard output is closed");
    expect_refused(run_program(command, "", "2>&1 >/dev/full"), "cannot write to standard output");
  }
  // The first file to be opened must not get the output.
  const Outcome page = run_program("demo --out " + quoted("page"), "", "2>&1 <&- >&-");
  EXPECT_EQ(page.code, 2) << page.out;
  EXPECT_EQ(read_file(folder_ / "page").find("<!DOCTYPE html>"), 0U);
}

TEST_F(HostileFiles, OnlyTextReachesTheTerminal) {
  const std::string name = "x\x1B[31m\xFF\n.pt";
  write_file(folder_ / name, "PK");
  write_file(folder_ / "word.csv", "0,0,0,1,0,0,1\n0,0,\x1B[31m\xFF,1,0,0,1\n");
  const std::string shown = "\\x1B[31m\\xFF";
  const std::string predict = "predict " + shipped("nbody-fa-verlet") + " --in ";
  expect_refused(run_program("model show " + quoted(name)), "x" + shown + "\\x0A.pt");
  expect_refused(run_program("audit " + quoted("no" + name) + kVectorTypes), "nox" + shown);
  expect_refused(run_program(predict + quoted("word.csv")), "'" + shown + "'");
  // A sound file may have such a name, too.
  const std::string model = script(name);
  for (const char* how : {"", " --json"}) {
    const Outcome wrapped =
        run_program("wrap " + model + kVectorTypes + " -o " + quoted("out" + name) + how);
    EXPECT_EQ(wrapped.code, 0) << wrapped.out;
    EXPECT_EQ(wrapped.out.find_first_of("\x1B\xFF"), std::string::npos) << wrapped.out;
    const Outcome card = run_program("model show " + quoted("out" + name) + how);
    EXPECT_EQ(card.code, 0) << card.out;
    EXPECT_EQ(card.out.find_first_of("\x1B\xFF"), std::string::npos) << card.out;
    const Outcome audited = run_program("audit " + model + kVectorTypes + how);
    EXPECT_EQ(audited.code, 0) << audited.out;
    EXPECT_EQ(audited.out.find_first_of("\x1B\xFF"), std::string::npos) << audited.out;
  }
}

TEST_F(HostileFiles, ALocaleWithADecimalCommaChangesNothing) {
  const test_support::GermanPrintf german;
  if (!german.works()) GTEST_SKIP() << german.reason();
  const std::string environment = "LC_ALL=de_DE.UTF-8 LOCPATH='" + german.folder() + "'";
  write_file(folder_ / "in.csv", kParticles);
  const std::string model = shipped("nbody-fa-verlet");
  for (const std::string& command : {"predict " + model + " --in " + quoted("in.csv"),
                                     "predict " + model + " --in " + quoted("in.csv") + " --json",
                                     "model show " + model, "model show " + model + " --json"}) {
    const Outcome plain = run_program(command), local = run_program(command, environment);
    EXPECT_EQ(plain.code, 0) << plain.out;
    EXPECT_EQ(local.out, plain.out);
  }
}

}  // namespace
}  // namespace equiframe::app_test
