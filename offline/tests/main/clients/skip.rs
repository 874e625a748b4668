//! Tests that need packages which may be out of reach.

use std::io::Write;

/// The variable that turns a missing client into a failure.
const REQUIRE: &str = "CLAW_REQUIRE_CLIENTS";

/// Reports that a test is skipped. It writes to standard error directly, because the test
/// harness captures what a passing test prints.
pub fn report_skip(needs: &str, reason: &str) {
    let is_required = std::env::var_os(REQUIRE).is_some_and(|value| value == "1");
    assert!(!is_required, "{REQUIRE}=1, but {reason}");
    let _ = writeln!(
        std::io::stderr(),
        "skipped: this test needs {needs}: {reason}"
    );
}
