#pragma once

#include <memory>
#include <string>

#include "equiframe/training/run.h"
#include "progress.h"

namespace equiframe::app {

/// Shows how far data are that have to be made first; nothing if they are there.
class DataBar final : public Observer {
 public:
  void on_data(double fraction, const std::string& text) override {
    if (!bar_) bar_ = std::make_unique<ProgressBar>("data");
    bar_->update(fraction, text);
  }

 private:
  std::unique_ptr<ProgressBar> bar_;
};

}  // namespace equiframe::app
