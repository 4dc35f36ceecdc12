-- How often each kind of security event happened on a day of UTC; who and whence stand in the log alone.
CREATE TABLE security_days (
  day TEXT NOT NULL,
  kind TEXT NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (day, kind)
) WITHOUT ROWID;
