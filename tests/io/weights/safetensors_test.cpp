#include "io/weights/safetensors.h"

#include <cstring>
#include <functional>

#include <gtest/gtest.h>
#include <torch/types.h>

#include "equiframe/core/error.h"
#include "equiframe/core/rng.h"
#include "tests/training/engine/toy.h"

namespace equiframe {
namespace {

using training_test::message_of;
using training_test::read_file;
using training_test::TemporaryFolder;
using training_test::write_file;

SafeTensors sample() {
  auto generator = make_generator(1);
  SafeTensors content;
  content.tensors["a/weight"] = torch::randn({3, 4}, generator);
  content.tensors["b"] = torch::randn({5}, generator, torch::kFloat64);
  content.tensors["c"] = torch::arange(6).view({2, 3});
  content.tensors["d"] = torch::arange(7, torch::kInt32);
  content.tensors["e"] = torch::tensor({1, 2, 255}, torch::kUInt8);
  content.tensors["f"] = torch::tensor({true, false, true}, torch::kBool);
  content.tensors["scalar"] = torch::tensor(2.5F);
  content.tensors["empty"] = torch::zeros({0, 3});
  content.metadata["note"] = "grüße \"quoted\"\n";
  return content;
}

TEST(SafeTensors, RoundTripIsExact) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "x.safetensors";
  const SafeTensors content = sample();
  save_safetensors(file, content);
  const SafeTensors again = load_safetensors(file);
  EXPECT_EQ(again.metadata, content.metadata);
  ASSERT_EQ(again.tensors.size(), content.tensors.size());
  for (const auto& [name, tensor] : content.tensors) {
    EXPECT_TRUE(again.tensors.at(name).equal(tensor)) << name;
    EXPECT_EQ(again.tensors.at(name).scalar_type(), tensor.scalar_type()) << name;
  }
}

/// Strided views are stored as what they show.
TEST(SafeTensors, StoresViews) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "x.safetensors";
  const Tensor view = torch::arange(12).view({3, 4}).t();
  save_safetensors(file, {{{"v", view}}, {}});
  EXPECT_TRUE(load_safetensors(file).tensors.at("v").equal(view));
}

TEST(SafeTensors, SameContentSameBytes) {
  const TemporaryFolder folder;
  save_safetensors(folder.path() / "1", sample());
  save_safetensors(folder.path() / "2", sample());
  EXPECT_EQ(read_file(folder.path() / "1"), read_file(folder.path() / "2"));
}

TEST(SafeTensors, RefusesTypesItCannotStore) {
  const TemporaryFolder folder;
  EXPECT_ANY_THROW(
      save_safetensors(folder.path() / "x", {{{"h", torch::zeros({2}, torch::kHalf)}}, {}}));
}

/// A file with this header (and data), whatever they say.
std::string with_header(const std::string& header, size_t data_bytes) {
  const uint64_t length = header.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + header + std::string(data_bytes, '\1');
}

std::string array(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

struct Damage {
  const char* name;
  std::string bytes;
};

std::vector<Damage> made_up() {
  const std::string f32 = array("F32", "[2]", "[0,8]");
  return {
      {"empty file", ""},
      {"seven bytes", "1234567"},
      {"length beyond the file", with_header("{}", 0).substr(0, 8) + "{"},
      {"impossible length", std::string(16, '\xff')},
      {"no JSON", with_header("not json", 0)},
      {"JSON but no object", with_header("[1, 2]", 0)},
      {"unknown type", with_header(R"({"a":)" + array("F16", "[4]", "[0,8]") + "}", 8)},
      {"shape and size disagree", with_header(R"({"a":)" + array("F32", "[3]", "[0,8]") + "}", 8)},
      {"negative size", with_header(R"({"a":)" + array("F32", "[-2]", "[0,8]") + "}", 8)},
      {"backward offsets", with_header(R"({"a":)" + array("F32", "[2]", "[8,0]") + "}", 8)},
      {"product overflows",
       with_header(R"({"a":)" + array("F32", "[4294967296,4294967296]", "[0,0]") + "}", 0)},
      {"too few data", with_header(R"({"a":)" + f32 + "}", 7)},
      {"surplus data", with_header(R"({"a":)" + f32 + "}", 9)},
      {"gap", with_header(R"({"a":)" + array("F32", "[2]", "[4,12]") + "}", 12)},
      {"overlap",
       with_header(R"({"a":)" + f32 + R"(,"b":)" + array("F32", "[2]", "[4,12]") + "}", 12)},
      {"name twice", with_header(R"({"a":)" + f32 + R"(,"a":)" + f32 + "}", 8)},
      {"missing dtype", with_header(R"({"a":{"shape":[2],"data_offsets":[0,8]}})", 8)},
      {"extra key",
       with_header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8],"x":1}})", 8)},
      {"metadata that are no text", with_header(R"({"__metadata__":{"a":1}})", 0)},
  };
}

TEST(SafeTensors, EveryDamageIsAUserErrorThatNamesTheFile) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "broken.safetensors";
  for (const Damage& damage : made_up()) {
    write_file(file, damage.bytes);
    const std::string message = message_of([&] { load_safetensors(file); });
    EXPECT_NE(message.find("broken.safetensors"), std::string::npos) << damage.name;
  }
  EXPECT_NE(message_of([&] { load_safetensors(folder.path() / "none"); }).find("none"),
            std::string::npos);
}

/// No byte of a good file can be lost or changed without notice.
TEST(SafeTensors, NoticesEveryCutAndEveryFlippedByte) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "x.safetensors";
  save_safetensors(file, sample());
  const std::string good = read_file(file);
  for (size_t length = 0; length < good.size(); length += 7) {
    write_file(file, good.substr(0, length));
    EXPECT_THROW(load_safetensors(file), UserError) << "cut to " << length;
  }
  size_t header_length = 0;
  std::memcpy(&header_length, good.data(), sizeof header_length);
  for (size_t i = 8 + header_length; i < good.size(); i += 3) {
    std::string bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ 1);
    write_file(file, bytes);
    EXPECT_THROW(load_safetensors(file), UserError) << "byte " << i;
  }
}

TEST(SafeTensors, AFailedWriteKeepsTheOldFile) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "x.safetensors";
  save_safetensors(file, sample());
  const std::string good = read_file(file);
  EXPECT_THROW(save_safetensors("/dev/full", sample()), UserError);
  write_file(folder.path() / "plain", "");
  EXPECT_THROW(save_safetensors(folder.path() / "plain" / "x.safetensors", sample()), UserError);
  EXPECT_EQ(read_file(file), good);
}

}  // namespace
}  // namespace equiframe
