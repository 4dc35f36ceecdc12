-- What all people's closed days cost together by model: kept by every change of `usage_days`, so that no view adds up everybody's rows.
CREATE TABLE spend_days (
  day TEXT NOT NULL,
  model_id TEXT NOT NULL,
  calls INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  PRIMARY KEY (day, model_id)
) WITHOUT ROWID;

INSERT INTO spend_days (day, model_id, calls, tokens, cost_micros)
SELECT day, model_id, sum(calls), sum(tokens), sum(cost_micros) FROM usage_days GROUP BY day, model_id;

CREATE TRIGGER spend_days_grow AFTER INSERT ON usage_days
BEGIN
  INSERT INTO spend_days (day, model_id, calls, tokens, cost_micros)
  VALUES (NEW.day, NEW.model_id, NEW.calls, NEW.tokens, NEW.cost_micros)
  ON CONFLICT (day, model_id) DO UPDATE SET
    calls = calls + excluded.calls, tokens = tokens + excluded.tokens, cost_micros = cost_micros + excluded.cost_micros;
END;

CREATE TRIGGER spend_days_shrink AFTER DELETE ON usage_days
BEGIN
  UPDATE spend_days SET calls = calls - OLD.calls, tokens = tokens - OLD.tokens, cost_micros = cost_micros - OLD.cost_micros
  WHERE day = OLD.day AND model_id = OLD.model_id;
END;

CREATE TRIGGER spend_days_follow AFTER UPDATE ON usage_days
BEGIN
  UPDATE spend_days SET calls = calls - OLD.calls, tokens = tokens - OLD.tokens, cost_micros = cost_micros - OLD.cost_micros
  WHERE day = OLD.day AND model_id = OLD.model_id;
  INSERT INTO spend_days (day, model_id, calls, tokens, cost_micros)
  VALUES (NEW.day, NEW.model_id, NEW.calls, NEW.tokens, NEW.cost_micros)
  ON CONFLICT (day, model_id) DO UPDATE SET
    calls = calls + excluded.calls, tokens = tokens + excluded.tokens, cost_micros = cost_micros + excluded.cost_micros;
END;

CREATE INDEX failed_jobs_stuck ON failed_jobs (failed_at, id) WHERE stuck_at IS NOT NULL;
CREATE INDEX failed_jobs_trying ON failed_jobs (failed_at, id) WHERE stuck_at IS NULL;
CREATE INDEX failed_jobs_by_kind ON failed_jobs (queue, kind, stuck_at, failed_at);
