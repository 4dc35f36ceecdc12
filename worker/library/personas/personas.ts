import type { Persona, PersonaVersion } from "#shared/entities/persona.ts";
import { PERSONAS_MAX, TEAM_PERSONAS_MAX } from "#shared/limits.ts";
import { PERSONALIZED_NAME, sortPersonas } from "#shared/library/personas.ts";
import { type ContentRights, contentRights, membershipOf, type TeamMembership, whoMayChange } from "#shared/sharing/shared-content.ts";
import { isBlank } from "#shared/shown-text.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { requireMove, requireTeam } from "#worker/people/teams/teams.ts";
import {
  countPersonas,
  countTeamPersonas,
  deletePersonaRow,
  insertPersona,
  insertPersonalized,
  isUserId,
  movePersonaRow,
  type PersonaRow,
  selectOwner,
  selectPersonas,
  selectPersonasById,
  selectVersions,
  updateDefault,
  updatePersonaRow,
} from "./queries.ts";

export { clearVersion, selectDefaultPersona, selectPersonasById, selectPersonaText } from "./queries.ts";

const now = () => new Date().toISOString();

/**
 * The personalized persona as everybody has it before they say something in it: it has no row until then, and goes by its person's id,
 * so reading writes nothing.
 */
async function unwrittenPersona(db: Database, userId: string): Promise<PersonaRow> {
  const created_at = (await selectOwner(db, userId))?.createdAt ?? now();
  const text = { name: PERSONALIZED_NAME, content: "", personalization: null, version: 1 };
  return {
    ...text,
    id: userId,
    user_id: userId,
    team_id: null,
    is_personalized: true,
    is_default: true,
    created_at,
    updated_at: created_at,
    is_untrusted: false,
  };
}

/** As the API says it: whose text it is matters to the models alone. */
function toPersona({ is_untrusted: _foreign, ...persona }: PersonaRow): Persona {
  return persona;
}

/** What a user may use, in the picker's order, and which of it is their default. */
export async function readPersonas(db: Database, userId: string): Promise<{ personas: Persona[]; default_persona_id: string }> {
  const [accessible, owner] = await Promise.all([selectPersonas(db, userId), selectOwner(db, userId)]);
  const personas = accessible.map(({ persona }) => toPersona(persona));
  if (!personas.some(({ id }) => id === userId)) {
    const hasDefault = personas.some((persona) => persona.user_id === userId && persona.is_default);
    personas.push({ ...toPersona(await unwrittenPersona(db, userId)), is_default: !hasDefault });
  }
  // One that is no longer theirs to use, e.g. a team's that they left, counts as none.
  const global = personas.find(({ id }) => id === owner?.defaultId);
  const flagged = personas.find((persona) => persona.user_id === userId && persona.is_default);
  return { personas: sortPersonas(personas), default_persona_id: (global ?? flagged)?.id ?? userId };
}

type NewPersona = {
  id?: string | undefined;
  name: string;
  content: string;
  team_id?: string | null | undefined;
  /** Its text came from elsewhere. */
  isUntrusted?: boolean;
};

/** Makes a persona of the user's own. Throws TEAM_NOT_FOUND, TEAM_ADMINS_ONLY, CONFLICT for an id that is taken, INVALID_INPUT at the limit. */
export async function addPersona(
  db: Database,
  userId: string,
  { id = crypto.randomUUID(), name, content, team_id: teamId = null, isUntrusted = false }: NewPersona,
): Promise<Persona> {
  if (teamId !== null) await requireTeam(db, teamId, userId);
  const isTaken = await isUserId(db, id);
  const persona = { id, user_id: userId, team_id: teamId, name, content, is_untrusted: isUntrusted };
  const made = isTaken ? undefined : await insertPersona(db, persona, now());
  if (!made) {
    if ((await countPersonas(db, userId)) >= PERSONAS_MAX)
      throw new AppError("INVALID_INPUT", { message: "You have 500 personas already." });
    await refuseFullTeam(db, teamId);
    throw new AppError("CONFLICT", { message: "A persona of this id exists already." });
  }
  return toPersona(made);
}

/** A persona that the user may use. Throws NOT_FOUND. */
export async function findPersona(db: Database, userId: string, id: string): Promise<Persona> {
  return toPersona((await requirePersona(db, userId, id)).persona);
}

type Change = {
  name?: string | undefined;
  content?: string | undefined;
  personalization?: string | null | undefined;
  /** The personalization that it is to change: nothing is changed where it says something else by now. */
  from?: string | null | undefined;
  team_id?: string | null | undefined;
  /** The new text came from elsewhere, as that of a restored version may. */
  isUntrusted?: boolean;
};

/** A change is tried so often where others come between. */
const TRIES = 3;

/** Changes a persona, or whose it is. Throws NOT_FOUND, FORBIDDEN, TEAM_NOT_FOUND, TEAM_ADMINS_ONLY, INVALID_INPUT, and CONFLICT where others go on changing it. */
export async function changePersona(db: Database, userId: string, id: string, change: Change): Promise<Persona> {
  const { team_id: teamId, ...text } = change;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { persona: before, rights, team } = await requirePersona(db, userId, id);
    if (!rights.edit) throw new AppError("FORBIDDEN", { message: `${whoMayChange(team)} can edit this persona.` });
    refuseUnfit(before, change);
    if (change.from !== undefined && change.from !== before.personalization) return toPersona(before);
    const isMoved = teamId !== undefined && teamId !== before.team_id;
    if (isMoved) await requireMove(db, { ownerId: before.user_id, userId, teamId });
    const moved = isMoved ? await movePersonaRow(db, id, teamId) : before;
    if (!moved) await refuseFullTeam(db, teamId ?? null);
    // What an admin of its team wrote is not its creator's word.
    const changes = textChanges(before, before.user_id === userId ? text : { ...text, isUntrusted: true });
    if (Object.keys(changes).length === 0) return toPersona(moved ?? before);
    if (before.id === userId) await insertPersonalized(db, before, now());
    const changed = await updatePersonaRow(db, before, changes, now());
    if (changed) return toPersona(changed);
  }
  throw new AppError("CONFLICT", { message: "This persona is being changed elsewhere. Try again." });
}

async function refuseFullTeam(db: Database, teamId: string | null): Promise<void> {
  if (teamId === null || (await countTeamPersonas(db, teamId)) < TEAM_PERSONAS_MAX) return;
  throw new AppError("INVALID_INPUT", { message: "This team has 200 personas already." });
}

function refuseUnfit({ is_personalized: isPersonalized, name }: PersonaRow, change: Change): void {
  if (isPersonalized) {
    const message = "The name of the personalized persona cannot be edited.";
    if (change.name !== undefined && change.name !== name) throw new AppError("INVALID_INPUT", { message });
    if (change.team_id) throw new AppError("INVALID_INPUT", { message: "The personalized persona is yours alone." });
    return;
  }
  if (change.content !== undefined && isBlank(change.content)) throw new AppError("INVALID_INPUT", { message: "Content cannot be empty." });
  if (change.personalization) throw new AppError("INVALID_INPUT", { message: "Only the personalized persona has a personalization." });
}

function textChanges(before: PersonaRow, { name, content, personalization, isUntrusted = false }: Omit<Change, "team_id">) {
  return {
    ...(name !== undefined && name !== before.name && { name }),
    // What its owner changes they answer for.
    ...(content !== undefined && content !== before.content && { content, is_untrusted: isUntrusted }),
    ...(personalization !== undefined &&
      (personalization || null) !== before.personalization && {
        personalization: personalization || null,
        ...(isUntrusted && { is_untrusted: true }),
      }),
  };
}

/** Deletes a persona. Throws NOT_FOUND, FORBIDDEN. */
export async function removePersona(db: Database, userId: string, id: string): Promise<void> {
  const { persona, rights } = await requirePersona(db, userId, id);
  if (persona.is_personalized) throw new AppError("FORBIDDEN", { message: "The personalized persona cannot be deleted." });
  if (!rights.delete) throw new AppError("FORBIDDEN", { message: "Only its creator or an admin of its team can delete this persona." });
  await deletePersonaRow(db, persona);
}

/** Makes a persona the user's default. Throws NOT_FOUND. */
export async function makeDefault(db: Database, userId: string, id: string): Promise<void> {
  const { persona } = await requirePersona(db, userId, id);
  if (id === userId) await insertPersonalized(db, persona, now());
  const isMade = await updateDefault(db, userId, { id, isOwn: persona.user_id === userId });
  if (!isMade) throw new AppError("NOT_FOUND");
}

/** What a persona said before its last changes, newest first. Throws NOT_FOUND. */
export async function readVersions(db: Database, userId: string, id: string): Promise<PersonaVersion[]> {
  return (await requireVersions(db, userId, id)).map(({ persona_id: _persona, is_untrusted: _foreign, ...version }) => version);
}

async function requireVersions(db: Database, userId: string, id: string) {
  const { persona, rights, team } = await requirePersona(db, userId, id);
  if (!rights.edit) throw new AppError("FORBIDDEN", { message: `${whoMayChange(team)} can see this persona's versions.` });
  // What it said before it was shared is its creator's own.
  if (persona.user_id !== userId) throw new AppError("FORBIDDEN", { message: "Only its creator can see this persona's versions." });
  return selectVersions(db, id);
}

/** Gives a persona an earlier version's text. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
export async function restoreVersion(db: Database, userId: string, id: string, version: number): Promise<Persona> {
  const found = (await requireVersions(db, userId, id)).find((earlier) => earlier.version === version);
  if (!found) throw new AppError("NOT_FOUND");
  const { name, content, personalization, is_untrusted: isUntrusted } = found;
  return changePersona(db, userId, id, { name, content, personalization, isUntrusted });
}

type AccessiblePersona = { persona: PersonaRow; rights: ContentRights; team: TeamMembership };

/** A persona that the user may use, and what they may do with it. Throws NOT_FOUND. */
export async function requirePersona(db: Database, userId: string, id: string): Promise<AccessiblePersona> {
  const [found] = await selectPersonasById(db, userId, [id]);
  const accessible =
    found ?? (id === userId ? { persona: await unwrittenPersona(db, userId), role: null, contentAdminOnly: null } : undefined);
  if (!accessible) throw new AppError("NOT_FOUND");
  const { persona } = accessible;
  const team = membershipOf(accessible);
  return { persona, rights: contentRights(persona, userId, team), team };
}
