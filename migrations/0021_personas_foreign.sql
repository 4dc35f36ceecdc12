ALTER TABLE user_system_prompts ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 0;
