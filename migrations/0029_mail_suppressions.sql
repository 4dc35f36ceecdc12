-- Addresses that the mail service said could not be delivered to, or complained: nothing more is sent there.
CREATE TABLE mail_suppressions (
  address TEXT PRIMARY KEY NOT NULL,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL
);
