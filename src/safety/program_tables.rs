//! The tables of programs. A command that no table knows is not harmless.

/// How programs may be called that change nothing: the words with which a command begins, and a
/// [usage line](super::Usage) for the rest.
///
/// A row lists only options that neither write a file nor run a program. So `sort -o` and
/// `git diff --output` are not here, and neither are abbreviations such as `--outp`.
///
/// A `:` is only for options that need a value. `git log --pretty` does not: with `--pretty:`,
/// the second word of `--pretty --output=x` would pass as its value.
pub const READ_ONLY: &[(&str, &str)] = &[
    // Reading files.
    ("cat", "-[AbeEnstTuv] PATH..."),
    ("head", "-[qvz0123456789] -n: -c: --lines: --bytes: PATH..."),
    ("tail", "-[qvz0123456789] -n: -c: --lines: --bytes: PATH..."),
    ("wc", "-[lwcmL] --lines --words --bytes PATH..."),
    ("nl", "-b: PATH..."),
    ("tac", "PATH..."),
    ("rev", "PATH..."),
    (
        "cut",
        "-[sz] -d: -f: -c: -b: --delimiter: --fields: PATH...",
    ),
    (
        "sort",
        "-[bdfghiMnRrsuVz] -k: -t: --key: --reverse --unique PATH...",
    ),
    ("uniq", "-[cdDiu] -f: -s: -w: --count PATH?"),
    ("tr", "-[cdst] TEXT TEXT?"),
    ("comm", "-[123] PATH PATH"),
    ("paste", "-[sz] -d: PATH..."),
    (
        "diff",
        "-[abBdiNpqrstuwy] -U: -x: --brief --color= --unified= PATH PATH",
    ),
    ("cmp", "-[bls] PATH PATH"),
    ("od", "-[abcdfiosvx] -A: -j: -N: -t: PATH..."),
    ("xxd", "-[bpu] -c: -g: -l: -s: PATH?"),
    ("strings", "-[a] -n: PATH..."),
    ("md5sum", "PATH..."),
    ("sha1sum", "PATH..."),
    ("sha256sum", "PATH..."),
    ("sha512sum", "PATH..."),
    ("file", "-[bhiL] --brief --mime --mime-type PATH..."),
    ("stat", "-[fLt] -c: --format: --printf: PATH..."),
    ("readlink", "-[efmn] PATH..."),
    ("realpath", "-[emqs] PATH..."),
    ("basename", "-[az] -s: TEXT..."),
    ("dirname", "TEXT..."),
    (
        "jq",
        "-[acCejMnrsS] --compact-output --raw-output --slurp --sort-keys TEXT PATH...",
    ),
    ("column", "-[tx] -c: -s: PATH..."),
    ("fold", "-[bs] -w: PATH..."),
    ("base64", "-[di] -w: --decode PATH?"),
    // Looking around.
    (
        "ls",
        "-[1aAbBcCdfFghHiklLmnopqQrRsStuUvxX] --all --almost-all --color= --full-time \
         --group-directories-first --human-readable --recursive --reverse --sort: --time: PATH...",
    ),
    // `tree` reads `-Lo 2` as `-L 2 -o`, and `-o` names a file to write.
    (
        "tree",
        "-[aCdDfFghinpqstu] --dirsfirst --gitignore --noreport PATH...",
    ),
    (
        "tree -L",
        "-[aCdDfFghinpqstu] --dirsfirst --gitignore --noreport TEXT PATH...",
    ),
    ("pwd", "-[LP]"),
    ("du", "-[0abchHklmPsSx] -d: --exclude: --max-depth: PATH..."),
    ("df", "-[ahHiklPT] PATH..."),
    (
        "find",
        "-name: -iname: -path: -ipath: -wholename: -regex: -iregex: -regextype: -type: -size: \
         -maxdepth: -mindepth: -mtime: -mmin: -atime: -ctime: -newer: -perm: -user: -group: \
         -printf: -empty -readable -writable -executable -print -print0 -ls -not -and -or -a -o \
         -prune -quit -true -false -depth -daystart -mount -xdev PATH...",
    ),
    (
        "grep",
        "-[0123456789abcEFGhHiIlLnoPqrsTvwxyzZ] -A: -B: -C: -m: --color= --count \
         --exclude: --exclude-dir: --extended-regexp --files-with-matches --fixed-strings \
         --ignore-case --include: --invert-match --line-number --only-matching --recursive \
         --word-regexp TEXT PATH...",
    ),
    (
        "rg --files",
        "-[.u] -g: -t: --glob: --hidden --type: PATH...",
    ),
    (
        "rg",
        "-[.0acFhHiIlnNoPqsSuUvwx] -A: -B: -C: -g: -m: -M: -r: -t: -T: --color: --context: --count \
         --files-with-matches --fixed-strings --glob: --hidden --iglob: --ignore-case --json \
         --line-number --max-count: --max-depth: --multiline --no-heading --no-ignore --sort: \
         --type: --type-not: --word-regexp TEXT PATH...",
    ),
    ("which", "-[a] TEXT..."),
    ("type", "-[afpPt] TEXT..."),
    ("command -v", "TEXT..."),
    ("whoami", ""),
    ("id", "-[gGnru] TEXT?"),
    ("uname", "-[aimnoprsv]"),
    ("hostname", ""),
    ("date", "-[uR] -d: --date: --iso-8601= --utc FORMAT?"),
    ("uptime", ""),
    ("ps", "-[aAefhluwx] -o: -p: -u: --sort: TEXT..."),
    ("printenv", "TEXT..."),
    ("nproc", ""),
    ("free", "-[bghkm]"),
    // Printing and testing. `printf` is missing: its `-v` and `%n` set variables.
    ("echo", "-[eEn] ANY..."),
    ("true", "ANY..."),
    ("false", "ANY..."),
    (":", "ANY..."),
    ("sleep", "TEXT..."),
    ("seq", "-[w] -f: -s: TEXT..."),
    ("expr", "TEXT..."),
    (
        "test",
        "-[defhLnrswxz] -a -o -eq -ne -lt -le -gt -ge TEXT...",
    ),
    ("cd", "FOLDER"),
    // git. Paths that it takes can't lead out of the repository, except those of `diff`.
    (
        "git status",
        "-[bsuv] --branch --ignored= --long --porcelain= --short --untracked-files= TEXT...",
    ),
    (
        "git log",
        "-[0123456789cimp] -G: -L: -n: -S: --abbrev-commit --all --author= --branches --date= \
         --decorate= --first-parent --follow --format= --graph --grep= --max-count= --merges \
         --name-only --name-status --no-merges --numstat --oneline --patch --pretty= --reverse \
         --shortstat --since= --stat= --tags --until= TEXT...",
    ),
    (
        "git diff",
        "-[abpRuwz] -C -M -U= --cached --check --color= --exit-code --ignore-all-space \
         --merge-base --name-only --name-status --no-color --numstat --quiet --shortstat \
         --staged --stat= --summary --word-diff= PATH...",
    ),
    (
        "git show",
        "-[pqs] --format= --name-only --name-status --no-patch --numstat --oneline --pretty= \
         --shortstat --stat= TEXT...",
    ),
    ("git blame", "-[CelMsw] -L: --date= TEXT..."),
    (
        "git branch",
        "-[alrv] --all --contains= --list --no-color --remotes --show-current --sort= --verbose -vv",
    ),
    ("git branch --list", "TEXT..."),
    ("git remote", "-[v]"),
    ("git remote get-url", "TEXT"),
    (
        "git rev-parse",
        "-q --abbrev-ref --git-dir --is-inside-work-tree --short= --show-toplevel --verify TEXT...",
    ),
    (
        "git ls-files",
        "-[cdkmostuz] --cached --deleted --exclude-standard --modified --others --stage TEXT...",
    ),
    ("git ls-tree", "-[dlrtz] --name-only TEXT..."),
    (
        "git describe",
        "--abbrev= --all --always --dirty= --long --tags TEXT...",
    ),
    ("git tag", "-l --list --sort="),
    ("git tag -l", "TEXT..."),
    ("git tag --list", "TEXT..."),
    ("git stash list", ""),
    ("git stash show", "-p --stat TEXT?"),
    ("git shortlog", "-[cens] --all TEXT..."),
    (
        "git grep",
        "-[cEFGhiIlLnoPqvw] -A: -B: -C: -e: --cached --count --untracked TEXT...",
    ),
    ("git cat-file", "-[epst] TEXT TEXT?"),
    ("git reflog", "--oneline -n:"),
    ("git config --get", "TEXT"),
    ("git merge-base", "TEXT TEXT"),
    ("git rev-list", "-n: --all --count --max-count= TEXT..."),
    ("git worktree list", "--porcelain"),
    ("git --version", ""),
    // Versions.
    ("cargo --version", ""),
    ("rustc --version", "-v"),
    ("node --version", ""),
    ("npm --version", ""),
    ("python --version", ""),
    ("python3 --version", ""),
    ("go version", ""),
    // Programs that run other programs. `xargs` is missing: it takes arguments, also options,
    // from its input, which nobody knows yet.
    ("env", "-[i0] COMMAND..."),
    (
        "timeout",
        "-k: -s: --foreground --preserve-status TEXT COMMAND...",
    ),
    ("nice", "-n: COMMAND..."),
    ("nohup", "COMMAND..."),
    ("time", "-p COMMAND..."),
    ("command", "-p COMMAND..."),
    ("stdbuf", "-i: -o: -e: COMMAND..."),
    ("sh -c", "SCRIPT"),
    ("bash -c", "SCRIPT"),
];

/// How programs may be called that create or change the files they name, and nothing else.
pub const WRITES: &[(&str, &str)] = &[
    ("touch", "-[achm] -d: -t: --date: --no-create PATH..."),
    ("mkdir", "-[pv] -m: --parents PATH..."),
    (
        "cp",
        "-[adfinpPrRuvx] --archive --no-clobber --recursive PATH PATH...",
    ),
    ("mv", "-[finuv] --no-clobber PATH PATH..."),
    ("tee", "-[ai] --append PATH..."),
    ("git add", "-[AnNuv] --all --dry-run --update PATH..."),
    (
        "git commit",
        "-[aqsv] -m: -am: --all --allow-empty --amend --message= --no-edit --quiet --signoff",
    ),
    ("git switch", "-q --detach TEXT"),
    ("git switch -c", "TEXT TEXT?"),
    ("git branch", "TEXT TEXT?"),
    ("git stash", "-[qu]"),
    (
        "git stash push",
        "-[qu] -m: --include-untracked --message= PATH...",
    ),
    ("git stash apply", "TEXT?"),
    ("git tag", "-a -m: TEXT TEXT?"),
    ("git init", "-q -b: PATH?"),
    ("git mv", "PATH PATH"),
    ("git restore --staged", "PATH..."),
];

/// Commands that may send or receive data: a program, and words that must follow it somewhere.
pub const NETWORK: &[&str] = &[
    "curl",
    "wget",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "telnet",
    "ftp",
    "ping",
    "dig",
    "nslookup",
    "gh",
    "npx",
    "uvx",
    "apt",
    "apt-get",
    "git clone",
    "git fetch",
    "git pull",
    "git push",
    "git ls-remote",
    "git submodule update",
    "npm install",
    "npm ci",
    "npm publish",
    "yarn add",
    "pnpm add",
    "pip install",
    "pip3 install",
    "cargo install",
    "cargo publish",
    "cargo update",
    "cargo add",
    "cargo fetch",
    "go get",
    "go install",
    "brew install",
    "docker pull",
    "docker push",
    "docker run",
];

/// Commands that may delete data or stop programs, in the same form.
pub const DESTRUCTIVE: &[&str] = &[
    "rm",
    "rmdir",
    "unlink",
    "shred",
    "truncate",
    "dd",
    "mkfs",
    "mkfs.ext4",
    "mkfs.xfs",
    "mkfs.btrfs",
    "mkfs.vfat",
    "wipefs",
    "kill",
    "pkill",
    "killall",
    "reboot",
    "shutdown",
    "halt",
    "poweroff",
    "find -delete",
    "git reset --hard",
    "git clean",
    "git checkout --",
    "git checkout .",
    "git checkout -f",
    "git checkout --force",
    "git restore",
    "git push --force",
    "git push -f",
    "git push --delete",
    "git push --mirror",
    "git branch -d",
    "git branch -D",
    "git branch --delete",
    "git tag -d",
    "git tag --delete",
    "git stash drop",
    "git stash clear",
    "git reflog expire",
    "git gc --prune",
    "git filter-branch",
    "git update-ref",
    "docker system prune",
];
