/// What a first user types: nothing, a slip of the finger, -o, and what the program printed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/text.h"
#include "tests/app/tiny_run.h"

namespace equiframe::app_test {
namespace {

namespace fs = std::filesystem;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CommandLine, AGroupOfCommandsAlonePrintsItsHelp) {
  const std::pair<const char*, const char*> cases[] = {{"", "reproduce"},
                                                       {"data", "graph8c"},
                                                       {"graph", "embed"},
                                                       {"model", "verify"},
                                                       {"reproduce", "separation"}};
  for (const auto& [arguments, below] : cases) {
    const Outcome alone = run_program(arguments, "", "2>/dev/null");
    EXPECT_EQ(alone.code, 0) << arguments;
    EXPECT_TRUE(has(alone.out, "Usage: equiframe")) << arguments << ": " << alone.out;
    EXPECT_TRUE(has(alone.out, below)) << arguments << ": " << alone.out;
  }
}

TEST(CommandLine, HelpNamesEveryExitCode) {
  const std::string help = run_program("--help").out;
  for (const char* code :
       {"0 ok", "1 a check failed", "2 wrong input", "70 internal", "130 interr"})
    EXPECT_TRUE(has(help, code)) << code << " in\n" << help;
}

TEST(CommandLine, SlipsNameTheNearest) {
  expect_one_line("trian x.toml --resume",
                  "no command 'trian' of 'equiframe'; did you mean 'train'?");
  expect_one_line("data nbdoy --out x", "'equiframe data'; did you mean 'nbody'?");
  expect_one_line("nbody --out x", "did you mean 'data nbody'?");
  expect_one_line("data nbody --ot x",
                  "no option '--ot' of 'equiframe data nbody'; did you mean '--out'?");
  expect_one_line("check --gruop=E3",
                  "no option '--gruop' of 'equiframe check'; did you mean '--group'?");
  expect_one_line("predict m.safetensors --in a --output b", "did you mean '--out'?");
  expect_one_line("list --verbos", "did you mean '--verbose'?");
  expect_one_line("check -x", "no option '-x' of 'equiframe check'; see 'equiframe check --help'");
  expect_one_line("doctor now", "'now' is one argument too many of 'equiframe doctor'");
  expect_one_line("data nbody", "--out is required; see 'equiframe data nbody --help'");
  expect_one_line("list frame", "did you mean 'frames'?");
  expect_one_line("bench normal", "did you mean 'normals'?");
}

TEST(CommandLine, BenchNamesItsGroups) {
  const std::string help = run_program("bench --help").out;
  EXPECT_TRUE(has(help, "only these: averaging, graphs, kernels, nbody, normals, wrap\n")) << help;
}

/// The lines of the help of each command, by its words ("data nbody"), from `equiframe --help-all`.
const std::map<std::string, std::vector<std::string>>& help_of_commands() {
  static const auto help = [] {
    std::istringstream text(run_program("--help-all", "", "2>/dev/null").out);
    const std::string usage = "Usage: equiframe";
    std::map<std::string, std::vector<std::string>> result;
    std::string command;
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with(usage))
        command = text::trim(line.substr(usage.size(), line.find(" [") - usage.size()));
      result[command].push_back(line.substr(std::min(line.size(), line.find_first_not_of(' '))));
    }
    return result;
  }();
  return help;
}

/// Where --out is the type of a result, the file is --output.
TEST(CommandLine, EveryCommandThatWritesHasO) {
  const auto has_option = [](const std::string& command, const std::string& option) {
    const auto found = help_of_commands().find(command);
    return found != help_of_commands().end() &&
           std::any_of(found->second.begin(), found->second.end(),
                       [&](const std::string& line) { return line.starts_with(option); });
  };
  for (const char* command :
       {"demo", "data nbody", "data cad", "data votes", "data choices", "data exp", "data graph8c",
        "graph embed", "train", "predict", "normals", "bench", "reproduce nbody",
        "reproduce normals", "reproduce separation"})
    EXPECT_TRUE(has_option(command, "-o,--out")) << command;
  for (const char* command : {"wrap", "audit"})
    EXPECT_TRUE(has_option(command, "-o,--output")) << command;
}

/// docs/man/equiframe.1 in plain letters.
std::string manual() {
  std::string text = read_file(fs::path(__FILE__).parent_path() / "../../docs/man/equiframe.1");
  for (size_t at = 0; (at = text.find("\\-", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

TEST(Manual, NamesEveryCommandOptionAndExitCode) {
  const std::string page = manual();
  ASSERT_GT(help_of_commands().size(), 20U);
  for (const auto& [command, lines] : help_of_commands()) {
    EXPECT_TRUE(has(page, command)) << command;
    for (const std::string& line : lines) {
      if (!line.starts_with('-')) continue;
      std::istringstream names(line.substr(0, line.find(' ')));
      for (std::string name; std::getline(names, name, ',');)
        EXPECT_TRUE(has(page, name)) << command << ": " << line;
    }
  }
  for (const char* code : {"\n.B 0\n", "\n.B 1\n", "\n.B 2\n", "\n.B 70\n", "\n.B 130\n"})
    EXPECT_TRUE(has(page, code)) << code;
}

TEST(CommandLine, OWrites) {
  const test_support::TemporaryFolder folder;
  const std::string graphs = (folder / "g.g6").string(), rows = (folder / "rows.npy").string();
  EXPECT_EQ(run_program("data graph8c --nodes 4 -o " + graphs).code, 0);
  EXPECT_EQ(run_program("graph embed gin " + graphs + " -o " + rows).code, 0);
  EXPECT_TRUE(fs::exists(rows));
  std::ofstream(folder / "in.csv") << "0,0,0,0,0,0,1\n1,0,0,0,0,0,-1\n";
  const std::string moved = (folder / "out.csv").string();
  EXPECT_EQ(run_program("predict " + TinyRun::instance().model() + " --in " +
                        (folder / "in.csv").string() + " -o " + moved)
                .code,
            0);
  EXPECT_TRUE(fs::exists(moved));
}

/// The command that a run prints when it is interrupted does what it says if it is pasted.
TEST(CommandLine, APrintedCommandCanBePasted) {
  const TinyRun& tiny = TinyRun::instance();
  const fs::path home = tiny.folder() / "it's a folder";
  fs::create_directories(home);
  fs::create_directory_symlink(tiny.data(), home / "data");
  const fs::path run = home / "run";
  const std::string quoted_home = "\"" + home.string() + "\"";
  const Outcome stopped = run_program(
      "train " + tiny.config() + " --data " + quoted_home + "/data --out " + quoted_home +
          "/run --set train.epochs=100000000 --set train.checkpoint_every=0.02s",
      "",
      "2>&1 & p=$!; for i in $(seq 300); do test -s " + quoted_home +
          "/run/checkpoint.safetensors && break; sleep 0.1; done; kill -INT $p; wait $p");
  EXPECT_EQ(stopped.code, 130) << stopped.out;
  const std::string mark = "Go on with:\n  equiframe ";
  const size_t start = stopped.out.find(mark);
  ASSERT_NE(start, std::string::npos) << stopped.out;
  std::string pasted = stopped.out.substr(start + mark.size());
  pasted.resize(pasted.find('\n'));
  const Outcome rest = run_program(pasted + " --set train.max_seconds=0.01");
  EXPECT_EQ(rest.code, 0) << pasted << ": " << rest.out;
  EXPECT_TRUE(has(rest.out, "going on from epoch")) << rest.out;
  EXPECT_TRUE(fs::exists(run / "result.json"));
}

}  // namespace
}  // namespace equiframe::app_test
