-- Whether what a prompt says was last changed by somebody else than its creator: an admin of a team whose content its admins keep.
ALTER TABLE template_messages ADD COLUMN is_changed_by_others INTEGER NOT NULL DEFAULT 0;
