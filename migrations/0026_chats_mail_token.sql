-- The local part of the chat's mail address: 128 random bits. It alone decides which chat a mail is for; null for a deleted chat.
ALTER TABLE chats ADD COLUMN mail_token TEXT;
UPDATE chats SET mail_token = lower(hex(randomblob(16))) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX chats_by_mail_token ON chats (mail_token) WHERE mail_token IS NOT NULL;
