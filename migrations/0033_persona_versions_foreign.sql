-- Whether a version's text came from a link or a file.
ALTER TABLE user_system_prompt_versions ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 0;

-- What an imported persona said before its name alone was changed came from there too.
UPDATE user_system_prompt_versions SET is_foreign = 1
WHERE EXISTS (
  SELECT 1 FROM user_system_prompts p
  WHERE p.id = user_system_prompt_versions.persona_id AND p.is_foreign = 1 AND p.content = user_system_prompt_versions.content
);
