#include "equiframe/models/model_file.h"

#include <map>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <torch/types.h>
#include <torch/utils.h>

#include "equiframe/core/error.h"
#include "io/graphs/graph6.h"
#include "io/graphs/graph_batch.h"
#include "io/weights/safetensors.h"
#include "tests/training/engine/toy.h"
#include "training/engine/metrics.h"

namespace equiframe {
namespace {

namespace fs = std::filesystem;
using training_test::message_of;
using training_test::TemporaryFolder;
using training_test::toy_data;

Batch reference(bool masked = false) {
  return toy_data(4, 8, masked)->get(torch::arange(4)).input;
}

ModelCard card(const Choice& architecture) {
  ModelCard result;
  result.architecture = architecture;
  result.data = {"toy", {{"size", "40"}}};
  result.data_checksum = "0123";
  result.data_description = "points";
  result.metrics = {{"test_mse", 0.25}, {"best_epoch", 5}};
  result.provenance = provenance("abc");
  result.config = "[model]\nname = \"toy\"\n";
  return result;
}

class ModelFile : public ::testing::Test {
 protected:
  fs::path save(const Choice& choice, c10::ScalarType type = torch::kFloat32, bool masked = false) {
    torch::manual_seed(4);
    model_ = build_model(choice, type);
    save_model(file(), *model_, card(choice), reference(masked));
    return file();
  }
  /// Changes the file as a hand would, with a right checksum.
  void change(const std::function<void(SafeTensors&)>& f) {
    SafeTensors content = load_safetensors(file());
    f(content);
    save_safetensors(file(), content);
  }
  fs::path file() const { return folder_.path() / "model.safetensors"; }

  TemporaryFolder folder_;
  std::shared_ptr<Model> model_;
};

TEST_F(ModelFile, GivesTheSameModelBack) {
  for (const auto type : {torch::kFloat32, torch::kFloat64}) {
    const LoadedModel loaded = load_model(save({"toy-mlp", {{"width", "9"}}}, type));
    EXPECT_EQ(type_of(*loaded.model), type);
    const Batch x = to_type(reference(), type);
    const torch::NoGradGuard no_grad;
    EXPECT_TRUE(loaded.model->forward(x).equal(model_->forward(x)));
    EXPECT_FALSE(loaded.model->is_training());
  }
}

/// Files of averaged networks on graphs from before cards said what was averaged: features.
TEST_F(ModelFile, OlderGraphNetworksAreStillTheSame) {
  const Batch graphs = graph_batch({parse_graph6("G???F{"), parse_graph6("GCQbfW")});
  const std::map<std::string, std::string> settings{
      {"frame", "laplacian(max_elements=1, draws=4)"}};
  for (const std::string average : {"features", "outputs"}) {
    Choice choice{"gin-id", settings};
    choice.settings["average"] = average;
    torch::manual_seed(4);
    const auto network = build_model(choice, torch::kFloat32);
    save_model(file(), *network, card(choice), graphs);
    EXPECT_EQ(load_model(file()).card.signature.average, average);
  }
  Choice choice{"gin-id", settings};
  choice.settings["average"] = "features";
  torch::manual_seed(4);
  const auto network = build_model(choice, torch::kFloat32);
  save_model(file(), *network, card(choice), graphs);
  change([](SafeTensors& content) {
    auto json = nlohmann::ordered_json::parse(content.metadata.at("equiframe"));
    json.at("signature").erase("average");
    json.at("architecture").at("options").erase("average");
    content.metadata.at("equiframe") = json.dump();
  });
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(load_model(file()).model->forward(graphs).equal(network->forward(graphs)));
}

TEST_F(ModelFile, CardTellsWhereItComesFrom) {
  const ModelCard loaded = load_model(save({"toy-linear", {{"start", "0.5"}}})).card;
  EXPECT_EQ(loaded.architecture.name, "toy-linear");
  EXPECT_EQ(loaded.architecture.settings.at("start"), "0.5");
  EXPECT_EQ(loaded.signature.group, "E(3)");
  EXPECT_EQ(loaded.signature.in, "point + vector + scalar");
  EXPECT_EQ(loaded.parameters, 1);
  EXPECT_EQ(loaded.data.name, "toy");
  EXPECT_EQ(loaded.data_checksum, "0123");
  EXPECT_EQ(loaded.metrics.at("test_mse"), 0.25);
  EXPECT_EQ(loaded.provenance.commit, "abc");
  EXPECT_FALSE(loaded.provenance.cpu.empty());
  EXPECT_EQ(loaded.licence, "MIT");
  EXPECT_LT(loaded.equivariance.float32, 1e-5);
  EXPECT_GT(loaded.equivariance.float32, 0);
  EXPECT_LT(loaded.equivariance.float64, 1e-13);
  EXPECT_EQ(to_json(parse_card(to_json(loaded), "x")), to_json(loaded));
}

TEST_F(ModelFile, KeepsMasksOfTheReference) {
  const LoadedModel loaded = load_model(save({"toy-mlp", {}}, torch::kFloat32, /*masked=*/true));
  EXPECT_TRUE(loaded.reference_input.mask.equal(reference(true).mask));
}

TEST_F(ModelFile, VerifyAcceptsAnHonestModel) {
  const Verification result = verify_model(save({"toy-linear", {}}), 77);
  EXPECT_TRUE(result.pass());
  EXPECT_EQ(result.reference_error, 0);
}

TEST_F(ModelFile, VerifyCatchesAClaimThatIsNotTrue) {
  const Verification result = verify_model(save({"toy-liar", {}}));
  EXPECT_TRUE(result.reference_holds);
  EXPECT_FALSE(result.equivariance_holds);
  EXPECT_GT(result.equivariance.float64, 0.01);
}

TEST_F(ModelFile, AChangedWeightDoesNotGiveTheReference) {
  save({"toy-linear", {{"start", "0.5"}}});
  change([](SafeTensors& content) { content.tensors["t"].add_(0.01); });
  EXPECT_NE(message_of([&] { load_model(file()); }).find("reference output"), std::string::npos);
  EXPECT_FALSE(verify_model(file()).reference_holds);
}

TEST_F(ModelFile, RefusesWhatDoesNotFit) {
  const auto refused = [&](const std::function<void(SafeTensors&)>& f, const char* part) {
    save({"toy-mlp", {}});
    change(f);
    const std::string message = message_of([&] { load_model(file()); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find("model.safetensors"), std::string::npos) << message;
  };
  refused([](SafeTensors& c) { c.tensors.erase("in.weight"); }, "no array 'in.weight'");
  refused([](SafeTensors& c) { c.tensors["in.weight"] = torch::zeros({2, 2}); }, "shape");
  refused([](SafeTensors& c) { c.tensors["surplus"] = torch::zeros({2}); }, "does not");
  refused([](SafeTensors& c) { c.metadata.erase("equiframe"); }, "no model card");
  refused([](SafeTensors& c) { c.metadata["equiframe"] = "{}"; }, "no model card");
  refused([](SafeTensors& c) { c.metadata["equiframe"] = "{\"format\": 99}"; }, "newer version");
  refused([](SafeTensors& c) { c.metadata["equiframe"] = "{\"format\": 1}"; }, "incomplete");
  refused([](SafeTensors& c) { c.tensors.erase("reference/output"); }, "reference/output");
  refused([](SafeTensors& c) { c.tensors.erase("reference/input"); }, "reference/input");
}

TEST_F(ModelFile, AnUnknownArchitectureIsNamed) {
  save({"toy-mlp", {}});
  change([](SafeTensors& c) {
    std::string& text = c.metadata["equiframe"];
    text.replace(text.find("toy-mlp"), 7, "toy-mpl");
  });
  EXPECT_NE(message_of([&] { load_model(file()); }).find("did you mean 'toy-mlp'"),
            std::string::npos);
}

TEST_F(ModelFile, BuildingRefusesUnknownSettings) {
  EXPECT_THROW(build_model({"toy-mlp", {{"depth", "3"}}}, torch::kFloat32), UserError);
}

}  // namespace
}  // namespace equiframe
