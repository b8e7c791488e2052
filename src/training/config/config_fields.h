#pragma once

#include "equiframe/training/config.h"

namespace equiframe::inline training {

/// The keys of [train], each with its member: the one list that reading and writing share. `visit`
/// is called as visit(key, member) and, for a choice, as visit(key, member, {names in order}).
template <class Visitor>
void visit_fields(TrainOptions& o, Visitor&& visit) {
  visit("epochs", o.epochs);
  visit("batch", o.batch);
  visit("drop_last", o.drop_last);
  visit.choice("optimizer", o.optimizer, {"adam", "adamw"});
  visit("lr", o.lr);
  visit("weight_decay", o.weight_decay);
  visit("clip", o.clip);
  visit("ema", o.ema);
  visit.choice(
      "loss", o.loss,
      {"mse", "mae", "huber", "cauchy", "cross-entropy", "unoriented", "angle", "log-angle"});
  visit("huber_delta", o.huber_delta);
  visit("cauchy_delta", o.cauchy_delta);
  visit.choice("schedule", o.schedule, {"constant", "cosine", "step", "warmup-cosine"});
  visit("warmup_epochs", o.warmup_epochs);
  visit("min_lr", o.min_lr);
  visit("step_epochs", o.step_epochs);
  visit("step_factor", o.step_factor);
  visit("evaluate_every", o.evaluate_every);
  visit("patience", o.patience);
  visit("max_seconds", o.max_seconds);
  visit("checkpoint_every", o.checkpoint_every);
  visit("seed", o.seed);
  visit("threads", o.threads);
  visit.choice("dtype", o.dtype, {"float32", "float64"});
}

template <class Visitor>
void visit_fields(PaperValue& paper, Visitor&& visit) {
  visit("table", paper.table);
  visit("row", paper.row);
  visit("value", paper.value);
  visit("own", paper.own);
  visit("columns", paper.columns);
}

}  // namespace equiframe::inline training
