-- Which mails a person wants about what happens while they are away.
ALTER TABLE users ADD COLUMN notify_replies INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN notify_approvals INTEGER NOT NULL DEFAULT 1;
ALTER TABLE users ADD COLUMN notify_shares INTEGER NOT NULL DEFAULT 1;
-- An address that was invited had a mail about that.
ALTER TABLE chat_shares ADD COLUMN was_invited INTEGER NOT NULL DEFAULT 0;
