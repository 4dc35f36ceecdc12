-- One row for each mailbox that had its gift of credits, whatever becomes of the account that got it.
CREATE TABLE credit_gifts (
  mailbox TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  created_at TEXT NOT NULL
);

-- As worker/users/mailbox-of.ts reads an address.
INSERT OR IGNORE INTO credit_gifts (mailbox, user_id, created_at)
SELECT
  CASE WHEN domain IN ('gmail.com', 'googlemail.com') THEN replace(name, '.', '') || '@gmail.com' ELSE name || '@' || domain END,
  id,
  created_at
FROM (
  SELECT
    id,
    created_at,
    substr(email, instr(email, '@') + 1) AS domain,
    CASE
      WHEN instr(email, '+') BETWEEN 2 AND instr(email, '@') THEN substr(email, 1, instr(email, '+') - 1)
      ELSE substr(email, 1, instr(email, '@') - 1)
    END AS name
  FROM users
  WHERE email IS NOT NULL AND anonymous = 0
)
ORDER BY created_at;
