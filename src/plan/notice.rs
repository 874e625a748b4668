//! What prompts say about plan mode.

/// The end of every prompt that is sent while plan mode is on.
pub const PLAN_NOTICE: &str = "Plan mode is on: the user wants a plan before anything changes. \
    Only tools that read can run. When you know what to do, propose your plan with `exit_plan`.";

/// The end of the first prompt after the user has turned plan mode off without approving a plan.
pub const PLAN_ENDED: &str = "Plan mode is over: the user has turned it off. Do what the user asks \
    for; the permissions of this session decide which calls run.";

/// The user's text in a prompt, without a notice at its end.
pub fn without_notice(prompt: &str) -> &str {
    let notices = [PLAN_NOTICE, PLAN_ENDED].into_iter();
    let mut texts = notices.filter_map(|notice| prompt.strip_suffix(notice));
    texts.next().map_or(prompt, str::trim_end)
}
