-- The address that the provider last named, by which a person tells their linked sign-ins apart; unknown until one is used again.
ALTER TABLE identities ADD COLUMN email TEXT;
