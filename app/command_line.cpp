#include "command_line.h"

#include <iostream>

#include <CLI/CLI.hpp>

#include "core/text.h"

namespace equiframe::app {
namespace {

/// The program, the command that was called, and the one below it if there is one.
std::vector<const CLI::App*> called(const CLI::App& app) {
  std::vector<const CLI::App*> chain{&app};
  while (!chain.back()->get_subcommands().empty())
    chain.push_back(chain.back()->get_subcommands().front());
  return chain;
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// "equiframe data nbody"
std::string name_of(const std::vector<const CLI::App*>& chain) {
  std::vector<std::string> names;
  names.reserve(chain.size());
  for (const CLI::App* app : chain) names.push_back(app->get_name());
  return text::join(names, " ");
}

/// `above` are the words before the name of `app`.
void print_all_help(const CLI::App& app, const std::string& above) {
  std::cout << app.help(above) << '\n';
  const std::string words = above.empty() ? app.get_name() : above + " " + app.get_name();
  for (const CLI::App* command : commands_of(app)) print_all_help(*command, words);
}

std::string suggestion(const std::string& guess) {
  return guess.empty() ? "" : "; did you mean '" + guess + "'?";
}

/// What is written instead of `word` on the level of `group`, or one below: "data nbody".
std::string nearest_command(const CLI::App& group, const std::string& word) {
  std::vector<std::string> known;
  for (const CLI::App* command : commands_of(group)) known.push_back(command->get_name());
  const std::string guess = text::nearest(word, known);
  if (!guess.empty()) return guess;
  for (const CLI::App* command : commands_of(group))
    for (const CLI::App* below : commands_of(*command))
      if (below->get_name() == word) return command->get_name() + " " + word;
  return "";
}

/// Options of a command are also those of the commands above it.
std::string nearest_option(const std::vector<const CLI::App*>& chain, const std::string& word) {
  constexpr size_t kLetter = 2;  // "-x" is as near to every other letter
  if (word.size() <= kLetter) return "";
  std::vector<std::string> known;
  for (auto app = chain.rbegin(); app != chain.rend(); ++app)
    for (const CLI::Option* option : (*app)->get_options([](const CLI::Option*) { return true; }))
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return text::nearest(word, known);
}

std::string unexpected(const std::vector<const CLI::App*>& chain, const std::string& word) {
  const std::string place = " of '" + name_of(chain) + "'";
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    return "no option '" + name + "'" + place + suggestion(nearest_option(chain, name));
  }
  if (commands_of(*chain.back()).empty()) return "'" + word + "' is one argument too many" + place;
  return "no command '" + word + "'" + place + suggestion(nearest_command(*chain.back(), word));
}

}  // namespace

void add_help_all(CLI::App& app) {
  app.add_flag_callback(
      "--help-all",
      [&app] {
        print_all_help(app, "");
        throw CLI::Success();
      },
      "Print the help of every command and exit");
}

void print_help_when_alone(CLI::App& app) {
  const auto commands = app.get_subcommands([](CLI::App*) { return true; });
  if (commands.empty()) return;
  app.require_subcommand(0, 1);
  app.callback([&app] {
    if (app.get_subcommands().empty()) throw CLI::CallForHelp();
  });
  for (CLI::App* command : commands) print_help_when_alone(*command);
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const auto chain = called(app);
  std::vector<std::string> rest = app.remaining(/*recurse=*/true);
  std::erase(rest, "--");
  // A word nobody knows is also why another is missing.
  const std::string what = rest.empty() ? error.what() : unexpected(chain, rest.front());
  return what + (what.ends_with('?') ? " See '" : "; see '") + name_of(chain) + " --help'";
}

CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& known) {
  return {[kind, known](std::string& word) {
            for (const std::string& name : known)
              if (name == word) return std::string();
            return text::unknown_name(kind, word, known);
          },
          "", kind};
}

}  // namespace equiframe::app
