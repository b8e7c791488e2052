# Front door for people; CMake does the work. On Debian 12 the only thing to install by hand is
# make (and git): every target first installs what it needs.

PREFIX ?= /usr/local
BUILD := build
PRESET ?= $(if $(CI),ci,dev)
# A file that includes all of LibTorch takes over a gigabyte to compile, so memory bounds the jobs.
JOBS ?= $(shell awk -v cores="$$(nproc)" '/^MemAvailable/ {fit = int($$2 / 1500000)} \
  END {print fit < 1 ? 1 : fit < cores ? fit : cores}' /proc/meminfo)

# CMake says on stdout what it found and on stderr what is wrong.
CONFIGURE = cmake -Wno-dev --log-level=WARNING --preset
COMPILE = cmake --build $(BUILD) --parallel $(JOBS) --target
# The first configuration leaves the tests out, for their packages may be missing; once
# `make test` has turned them on they stay on.
LEAN = $(if $(wildcard $(BUILD)/CMakeCache.txt),,-DEQUIFRAME_TESTS=OFF)

.DEFAULT_GOAL := build
.PHONY: help build demo test bench bench-python python solids install lint format format-check asan tsan arm check-page clean
MAKEFLAGS += --no-print-directory

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' Makefile

build: ## the library and the program, in build/
	@scripts/install-deps build
	@$(CONFIGURE) $(PRESET) $(LEAN) >/dev/null
	@$(COMPILE) equiframe equiframe_cli

demo: build ## a network made symmetric, normals of a generated cloud, then Table 3 of the paper
	@$(BUILD)/equiframe demo --out $(BUILD)/demo.html
	@$(BUILD)/equiframe data cad --models 1 --points 20000 --kinds organic --export ply --force \
	  --out $(BUILD)/demo-shape
	@$(BUILD)/equiframe normals $(BUILD)/demo-shape/model-000000.ply -o $(BUILD)/demo-normals.ply \
	  --report $(BUILD)/demo-normals.html
	@$(BUILD)/equiframe reproduce nbody --budget quick --out $(BUILD)/nbody-quick

test: ## build everything and run all tests
	@scripts/install-deps build test
	@$(CONFIGURE) $(PRESET) -DEQUIFRAME_TESTS=ON >/dev/null
	@$(COMPILE) all
	@ctest --test-dir $(BUILD) --output-on-failure -j2

solids: ## equiframe-cad, which makes random solids for `equiframe data cad`, with Open CASCADE
	@scripts/install-deps build cad
	@$(CONFIGURE) $(PRESET) $(LEAN) -DEQUIFRAME_OCCT=ON >/dev/null
	@$(COMPILE) equiframe_cad equiframe_cli

python: ## the Python package, for Debian's python3-torch
	@scripts/install-deps build python
	@$(CONFIGURE) $(PRESET) $(LEAN) >/dev/null
	@$(COMPILE) equiframe
	@PYTHONPATH=python /usr/bin/python3 -c 'import equiframe'

bench-python: python ## FrameAverage against frame averaging written by hand in PyTorch
	@/usr/bin/python3 bench/wrap_python.py

bench: build ## speed against plain LibTorch code, as ratios
	@$(BUILD)/equiframe bench $(BENCH_ARGS)

install: build ## library, headers, program and man page into PREFIX (default /usr/local)
	@cmake --install $(BUILD) --prefix $(abspath $(PREFIX))

lint: ## format of all files, clang-tidy on those changed since LINT_BASE (LINT_ALL=1: all)
	@scripts/install-deps build test lint
	@$(CONFIGURE) lint >/dev/null
	@tools/lint.sh build-lint

format: ## rewrite all C++ files in the house format
	@scripts/install-deps lint
	@tools/format.sh

format-check:
	@scripts/install-deps lint
	@tools/format.sh --check

asan: ## the unit tests under the address and undefined-behaviour sanitizers, in build-asan/ (SLOW=1: all)
	@scripts/install-deps build test
	@$(CONFIGURE) asan >/dev/null
	@cmake --build build-asan --parallel $(JOBS) --target $(if $(SLOW),all,unit_tests)
	@ctest --test-dir build-asan --output-on-failure -j2 -L unit $(if $(SLOW),,-LE slow)
	@$(if $(SLOW),,echo "left out, labelled slow:" && ctest --test-dir build-asan -N -L slow | sed -n 's/^ *Test .*: //p')

tsan: ## the suites that use threads under the thread sanitizer, in build-tsan/
	@scripts/install-deps build test
	@$(CONFIGURE) tsan >/dev/null
	@cmake --build build-tsan --parallel $(JOBS) --target threaded_tests
	@ctest --test-dir build-tsan --output-on-failure -L threads

arm: ## the kernels cross-compiled for ARM and run under qemu, against this machine's, in build-arm/
	@scripts/install-deps build arm
	@scripts/check-arm build-arm

check-page: ## open the pages of the demo in a headless browser and look for errors
	@scripts/install-deps page
	@test -f $(BUILD)/demo.html -a -f $(BUILD)/nbody-quick/report.html || $(MAKE) demo
	@tools/check_page.sh $(BUILD)/demo.html
	@tools/check_page.sh $(BUILD)/demo-normals.html
	@tools/check_view.sh $(BUILD)/demo-normals.html
	@tools/check_page.sh $(BUILD)/nbody-quick/report.html
	@$(BUILD)/equiframe reproduce separation --seeds 1 --rows gin,gin-id-fa,gin-id-fa-canonical \
	  --set train.epochs=3 --out $(BUILD)/separation-small >/dev/null 2>&1
	@tools/check_page.sh $(BUILD)/separation-small/report.html
	@$(BUILD)/equiframe audit models/nbody-fa-gnn.safetensors --report $(BUILD)/audit.html \
	  >/dev/null 2>&1
	@tools/check_page.sh $(BUILD)/audit.html

clean: ## remove all build trees
	@rm -rf build build-arm build-asan build-debug build-lint build-tsan build-release
