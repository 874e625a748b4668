-- A session as `claw` 0.1.0 stored it in November 2026, in a database of version 1.
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    agent_name TEXT NOT NULL,
    model TEXT NOT NULL,
    started_at TEXT NOT NULL,
    ended_at TEXT,
    usage TEXT,
    parent INTEGER REFERENCES sessions (id) ON DELETE SET NULL,
    branched_at INTEGER
) STRICT;
CREATE INDEX sessions_by_parent ON sessions (parent);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    message TEXT NOT NULL,
    words TEXT NOT NULL,
    UNIQUE (session, position)
) STRICT;
INSERT INTO sessions VALUES (1, 'cb4bff6f-c3f1-4e88-be9c-3af660ed8c88', 'claw', 'claw-offline', '2026-11-22T16:51:21.730Z', '2026-11-22T16:51:48.618Z', '{"input":13169,"output":350,"reasoning":0,"cache_read":0,"cache_write":0,"total_tokens":13519}', NULL, NULL);
INSERT INTO messages VALUES (1, 1, 0, '{"role":"user","content":"read notes.txt","timestamp":"2026-11-22T16:51:21.895Z"}', 'read notes.txt');
INSERT INTO messages VALUES (2, 1, 1, '{"role":"assistant","name":"offline-anthropic/claw-offline","content":"I will read `notes.txt`.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"read","arguments":"{\"path\":\"notes.txt\"}"}}],"reasoning":"I was asked: read notes.txt. I have a rule for that. I have seen nothing of it yet. Next I call `read`.","raw_content_blocks":[{"type":"thinking","thinking":"I was asked: read notes.txt. I have a rule for that. I have seen nothing of it yet. Next I call `read`.","signature":"claw-offline-58b457bef10fdf22-799c7248bcf5b698","redacted":false},{"type":"text","text":"I will read `notes.txt`."},{"type":"tool_use","id":"call_1","name":"read","input":{"path":"notes.txt"}}],"timestamp":"2026-11-22T16:51:22.004Z","status":"completed"}', 'I will read `notes.txt`.
I was asked: read notes.txt. I have a rule for that. I have seen nothing of it yet. Next I call `read`.
read
{"path":"notes.txt"}');
INSERT INTO messages VALUES (3, 1, 2, '{"role":"tool","name":"read","tool_call_id":"call_1","content":"1\tmilk","timestamp":"2026-11-22T16:51:22.026Z"}', '1	milk');
INSERT INTO messages VALUES (4, 1, 3, '{"role":"assistant","name":"offline-anthropic/claw-offline","content":"`notes.txt` has 1 line, blank ones aside. It begins: 1\tmilk.","reasoning":"I was asked: read notes.txt. I have a rule for that. So far 1 tool call came back. `notes.txt` has 1 line, blank ones aside. It begins: 1\tmilk. No call is left for me to make: I say how it stands.","raw_content_blocks":[{"type":"thinking","thinking":"I was asked: read notes.txt. I have a rule for that. So far 1 tool call came back. `notes.txt` has 1 line, blank ones aside. It begins: 1\tmilk. No call is left for me to make: I say how it stands.","signature":"claw-offline-014f3c68db546086-6a0068a2e3a82f1c","redacted":false},{"type":"text","text":"`notes.txt` has 1 line, blank ones aside. It begins: 1\tmilk."}],"timestamp":"2026-11-22T16:51:22.033Z","status":"completed"}', '`notes.txt` has 1 line, blank ones aside. It begins: 1	milk.
I was asked: read notes.txt. I have a rule for that. So far 1 tool call came back. `notes.txt` has 1 line, blank ones aside. It begins: 1	milk. No call is left for me to make: I say how it stands.');
INSERT INTO messages VALUES (5, 1, 4, '{"role":"user","content":"run cat missing.txt","timestamp":"2026-11-22T16:51:22.240Z"}', 'run cat missing.txt');
INSERT INTO messages VALUES (6, 1, 5, '{"role":"assistant","name":"offline-openai/claw-offline","content":"I will run `cat missing.txt`.","tool_calls":[{"id":"call_2","type":"function","function":{"name":"bash","arguments":"{\"command\":\"cat missing.txt\"}"}}],"reasoning":"I was asked: run cat missing.txt. I have a rule for that. I have seen nothing of it yet. Next I call `bash`.","raw_content_blocks":[{"type":"thinking","thinking":"I was asked: run cat missing.txt. I have a rule for that. I have seen nothing of it yet. Next I call `bash`.","encrypted_content":"claw-offline-b9e3ca38795c728f-5d7575d8b08512d8","id":"rs_b9e3ca38795c728f","redacted":false},{"type":"text","text":"I will run `cat missing.txt`."},{"type":"tool_use","id":"call_2","name":"bash","input":{"command":"cat missing.txt"}}],"timestamp":"2026-11-22T16:51:22.318Z","status":"completed"}', 'I will run `cat missing.txt`.
I was asked: run cat missing.txt. I have a rule for that. I have seen nothing of it yet. Next I call `bash`.
bash
{"command":"cat missing.txt"}');
INSERT INTO messages VALUES (7, 1, 6, '{"role":"tool","name":"bash","tool_call_id":"call_2","content":"cat: missing.txt: No such file or directory\n[exit code 1]","timestamp":"2026-11-22T16:51:22.330Z"}', 'cat: missing.txt: No such file or directory
[exit code 1]');
INSERT INTO messages VALUES (8, 1, 7, '{"role":"assistant","name":"offline-openai/claw-offline","content":"`cat missing.txt` ran and printed 1 line. The last: cat: missing.txt: No such file or directory. It ended with exit code 1.","reasoning":"I was asked: run cat missing.txt. I have a rule for that. So far 1 tool call came back. `cat missing.txt` ran and printed 1 line. The last: cat: missing.txt: No such file or directory. It ended with exit code 1. No call is left for me to make: I say how it stands.","raw_content_blocks":[{"type":"thinking","thinking":"I was asked: run cat missing.txt. I have a rule for that. So far 1 tool call came back. `cat missing.txt` ran and printed 1 line. The last: cat: missing.txt: No such file or directory. It ended with exit code 1. No call is left for me to make: I say how it stands.","encrypted_content":"claw-offline-a61d4c9ea928189f-e87e448e3cd584af","id":"rs_a61d4c9ea928189f","redacted":false},{"type":"text","text":"`cat missing.txt` ran and printed 1 line. The last: cat: missing.txt: No such file or directory. It ended with exit code 1."}],"timestamp":"2026-11-22T16:51:22.343Z","status":"completed"}', '`cat missing.txt` ran and printed 1 line. The last: cat: missing.txt: No such file or directory. It ended with exit code 1.
I was asked: run cat missing.txt. I have a rule for that. So far 1 tool call came back. `cat missing.txt` ran and printed 1 line. The last: cat: missing.txt: No such file or directory. It ended with exit code 1. No call is left for me to make: I say how it stands.');
INSERT INTO messages VALUES (9, 1, 8, '{"role":"user","content":"read nofile.txt","timestamp":"2026-11-22T16:51:48.569Z"}', 'read nofile.txt');
INSERT INTO messages VALUES (10, 1, 9, '{"role":"assistant","name":"offline-anthropic/claw-offline","content":"I will read `nofile.txt`.","tool_calls":[{"id":"call_3","type":"function","function":{"name":"read","arguments":"{\"path\":\"nofile.txt\"}"}}],"reasoning":"I was asked: read nofile.txt. I have a rule for that. I have seen nothing of it yet. Next I call `read`.","raw_content_blocks":[{"type":"thinking","thinking":"I was asked: read nofile.txt. I have a rule for that. I have seen nothing of it yet. Next I call `read`.","signature":"claw-offline-dea73744613f48ca-dc52948e70363262","redacted":false},{"type":"text","text":"I will read `nofile.txt`."},{"type":"tool_use","id":"call_3","name":"read","input":{"path":"nofile.txt"}}],"timestamp":"2026-11-22T16:51:48.592Z","status":"completed"}', 'I will read `nofile.txt`.
I was asked: read nofile.txt. I have a rule for that. I have seen nothing of it yet. Next I call `read`.
read
{"path":"nofile.txt"}');
INSERT INTO messages VALUES (11, 1, 10, '{"role":"tool","name":"read","tool_call_id":"call_3","content":"there is no `nofile.txt` in the root folder","raw_content_blocks":[{"type":"tool_result","tool_use_id":"call_3","content":"there is no `nofile.txt` in the root folder","is_error":true}],"timestamp":"2026-11-22T16:51:48.594Z"}', 'there is no `nofile.txt` in the root folder');
INSERT INTO messages VALUES (12, 1, 11, '{"role":"assistant","name":"offline-anthropic/claw-offline","content":"The `read` tool failed: there is no `nofile.txt` in the root folder.","reasoning":"I was asked: read nofile.txt. I have a rule for that. So far 1 tool call came back. The `read` tool failed: there is no `nofile.txt` in the root folder. No call is left for me to make: I say how it stands.","raw_content_blocks":[{"type":"thinking","thinking":"I was asked: read nofile.txt. I have a rule for that. So far 1 tool call came back. The `read` tool failed: there is no `nofile.txt` in the root folder. No call is left for me to make: I say how it stands.","signature":"claw-offline-d43280c9c45f83ac-57a110e28effe413","redacted":false},{"type":"text","text":"The `read` tool failed: there is no `nofile.txt` in the root folder."}],"timestamp":"2026-11-22T16:51:48.601Z","status":"completed"}', 'The `read` tool failed: there is no `nofile.txt` in the root folder.
I was asked: read nofile.txt. I have a rule for that. So far 1 tool call came back. The `read` tool failed: there is no `nofile.txt` in the root folder. No call is left for me to make: I say how it stands.');
PRAGMA application_id = 1668047223;
PRAGMA user_version = 1;
