#!/bin/sh
# Checks that the course works on this machine without a network. The exit code is 0 if it does.
cd "$(dirname "$0")" || exit 1
if ! command -v cargo >/dev/null; then
  echo "Rust is missing: install it from https://rustup.rs, or from a standalone installer."
  exit 1
fi
if claw-code/target/runner/debug/course --version >/dev/null 2>&1; then
  # The unpacked sources may look newer than the runner.
  touch claw-code/target/runner/built
else
  echo "The runner in this archive is for PLATFORM and does not start here. Building it takes a minute or two."
  rm -rf claw-code/target/runner
fi
cd claw-code || exit 1
cargo course doctor || exit 1
echo
cargo course status || exit 1
echo
echo "Ready. Begin with: cd claw-code && cargo course"
echo "The book is in book/index.html."
