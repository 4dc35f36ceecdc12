ALTER TABLE users ADD COLUMN triggered_daily_budget_micros INTEGER NOT NULL DEFAULT 1000000;
ALTER TABLE users ADD COLUMN time_zone TEXT;
ALTER TABLE users ADD COLUMN browser_time_zone TEXT;
