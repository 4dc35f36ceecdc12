-- Jobs of the queues that failed: `stuck_at` is null while the queue still tries again. `payload` is what is sent anew on a retry.
CREATE TABLE failed_jobs (
  id TEXT PRIMARY KEY NOT NULL,
  queue TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  attempts INTEGER,
  error_name TEXT,
  error_message TEXT,
  failed_at TEXT NOT NULL,
  stuck_at TEXT,
  retry_at TEXT
);
CREATE INDEX failed_jobs_to_retry ON failed_jobs (retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX failed_jobs_by_time ON failed_jobs (failed_at);
