import { createDrafts } from "#web/lib/draft-form.ts";

/** A team as its form holds it. */
export type TeamDraft = { name: string; description: string };

/** What was written in a form and not saved, by the team's id, or by the person's for a new one: closing the settings does not lose it. */
export const teamDrafts = createDrafts<TeamDraft>();

/** What the form of a new team begins with. */
export const NEW_TEAM_DRAFT: TeamDraft = { name: "", description: "" };

/** Where the form of a person's new team is kept. */
export function newTeamKey(userId: string): string {
  return `new ${userId}`;
}
