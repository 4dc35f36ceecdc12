-- Which page of a night's step was taken up last, and when: of a message that comes twice, one goes on.
CREATE TABLE night_steps (
  night TEXT NOT NULL,
  step TEXT NOT NULL,
  page INTEGER NOT NULL,
  taken_at TEXT NOT NULL,
  PRIMARY KEY (night, step)
) WITHOUT ROWID;
