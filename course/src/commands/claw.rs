//! `cargo course claw`: runs the agent that the learner's finished chapters make.

use std::ffi::OsString;
use std::fs;

use anyhow::{Context, Result};

use super::{Outcome, build_and_start};
use crate::cargo_config;
use crate::messages::Style;
use crate::program;
use crate::repo::Repo;
use crate::verdict::ChapterReport;
use crate::verdict_cache::VerdictCache;

/// The program and the feature of chapter 0's agent.
const FIRST: &str = "first";

const BUILDING: &str = "Building your agent. The first time, this can take a minute.";

/// Builds and runs the best agent for the finished chapters: `claw` with the features of the
/// newest chapter in an unbroken row from chapter 1, or chapter 0's agent if the row is too
/// short for `claw`. A chapter is finished if it was when its tests last ran.
pub fn claw(repo: &Repo, style: &Style, arguments: &[OsString]) -> Result<Outcome> {
    // Verdicts of older sources count too, so the fingerprint of the sources is not needed.
    let verdicts = VerdictCache::load(repo, 0)?;
    let is_finished = |number: u32| verdicts.last(number).is_some_and(ChapterReport::is_done);
    let chapters = verdicts.written().iter().filter(|number| **number > 0);
    let (mut newest, mut missing) = (0, None);
    for number in chapters.copied() {
        if !is_finished(number) {
            missing = Some(number);
            break;
        }
        newest = number;
    }
    let manifest = fs::read_to_string(repo.cargo_toml()).context("cannot read Cargo.toml")?;
    let needed = program::first_chapter(&manifest.parse()?);
    let (name, features, agent) = match needed {
        Some(needed) if needed <= newest => (
            program::PROGRAM,
            format!("ch{newest},{}", program::PROGRAM),
            format!("chapters 1 to {newest}"),
        ),
        _ => (FIRST, FIRST.to_string(), "chapter 0".to_string()),
    };
    // Chapters 0 and 1 are open from the start, so nobody expects chapter 1 in the agent yet.
    if let Some(missing) = missing.filter(|missing| *missing.max(&2) <= verdicts.open()) {
        let wanted = match needed {
            Some(needed) if needed > newest => {
                format!("The next agent needs chapters 1 to {needed}. ")
            }
            _ => String::new(),
        };
        let reason = match verdicts.last(missing) {
            Some(_) => format!("Chapter {missing} was not finished when its tests last ran"),
            None => format!("The tests of chapter {missing} have not run yet"),
        };
        let note = format!(
            "{wanted}{reason}, so this is the agent of {agent}. `cargo course status` runs the tests."
        );
        eprintln!("{}", style.dim(&note));
    }
    let program = format!("debug/{name}{}", std::env::consts::EXE_SUFFIX);
    if !cargo_config::target_dir(repo.root()).join(program).exists() {
        eprintln!("{}", style.dim(BUILDING));
    }
    let manifest = repo.cargo_toml();
    let select = [
        "--manifest-path",
        &manifest.to_string_lossy(),
        "--no-default-features",
        "--features",
        &features,
        "--bin",
        name,
    ];
    build_and_start(style, &select, |command| {
        command.args(arguments);
    })
}
