#include "core/text.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/shell.h"

namespace {

using equiframe::text::nearest;
using equiframe::text::shell_quoted;

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> commands{"demo", "train", "normals", "data", "--out", "--json"};
  EXPECT_EQ(nearest("trian", commands), "train");     // two letters swapped
  EXPECT_EQ(nearest("trai", commands), "train");      // one left out
  EXPECT_EQ(nearest("dmeo", commands), "demo");       // nearer than "data"
  EXPECT_EQ(nearest("--output", commands), "--out");  // one is the beginning of the other
  EXPECT_EQ(nearest("norm", commands), "normals");
  EXPECT_EQ(nearest("--jsno", commands), "--json");
}

TEST(Nearest, DoesNotGuessWildly) {
  const std::vector<std::string> known{"fa", "pca", "jet", "--in", "demonstration"};
  EXPECT_EQ(nearest("xy", known), "");
  EXPECT_EQ(nearest("--x", known), "");
  EXPECT_EQ(nearest("something else", known), "");
  EXPECT_EQ(nearest("de", known), "");
  EXPECT_EQ(nearest("", known), "");
  EXPECT_EQ(nearest("word", {}), "");
}

TEST(ShellQuoted, LeavesPlainWordsAlone) {
  for (const char* word : {"runs/nbody-quick/fa-gnn-1", "train.lr=1e-3", "a,b", "C:x", "+5"})
    EXPECT_EQ(shell_quoted(word), word);
}

TEST(ShellQuoted, QuotesTheRest) {
  EXPECT_EQ(shell_quoted("my runs/x"), "'my runs/x'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_quoted("~"), "'~'");
  EXPECT_EQ(shell_quoted("pca(gradient=exact)"), "'pca(gradient=exact)'");
  EXPECT_EQ(shell_quoted("=ls"), "'=ls'");
}

}  // namespace
