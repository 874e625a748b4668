-- What version 2 added to `version_1.sql`.
CREATE VIRTUAL TABLE message_search USING fts5 (
    words, content = 'messages', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO message_search (message_search) VALUES ('rebuild');
CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
    INSERT INTO message_search (rowid, words) VALUES (new.id, new.words);
END;
CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN
    INSERT INTO message_search (message_search, rowid, words) VALUES ('delete', old.id, old.words);
END;
PRAGMA user_version = 2;
