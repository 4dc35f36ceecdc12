import { and, desc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { PERSONA_VERSIONS, PERSONAS_MAX, TEAM_PERSONAS_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { personas, personaVersions } from "#worker/platform/db/schema/personas.ts";
import { teamMembers, teams } from "#worker/platform/db/schema/teams.ts";
import { isMembership, isUsable, membershipColumns, type MembershipRow } from "#worker/platform/db/team-content.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export type PersonaRow = typeof personas.$inferSelect;

/** A persona as its reader reaches it, with their place in its team. */
export type AccessiblePersonaRow = MembershipRow & { persona: PersonaRow };

function selectAccessible(db: Database, userId: string) {
  return db
    .select({ persona: personas, ...membershipColumns })
    .from(personas)
    .leftJoin(teamMembers, isMembership(personas, userId))
    .leftJoin(teams, eq(teams.id, teamMembers.team_id))
    .$dynamic();
}

/** All personas that a user may use: their own, and those of their teams. */
export async function selectPersonas(db: Database, userId: string): Promise<AccessiblePersonaRow[]> {
  return selectAccessible(db, userId).where(isUsable(personas, userId));
}

/** Those of these personas that a user may use. */
export async function selectPersonasById(db: Database, userId: string, ids: readonly string[]): Promise<AccessiblePersonaRow[]> {
  return selectAccessible(db, userId).where(and(inArray(personas.id, [...ids]), isUsable(personas, userId)));
}

/** The one of their own that is a user's default; none before there is one. */
export async function selectDefaultPersona(db: Database, userId: string): Promise<AccessiblePersonaRow[]> {
  return selectAccessible(db, userId).where(and(eq(personas.user_id, userId), eq(personas.is_default, true)));
}

/** What a persona is called and says, and since when it is there, whoever asks. */
export async function selectPersonaText(db: Database, id: string) {
  const { name, content, created_at } = personas;
  return db.select({ name, content, created_at }).from(personas).where(eq(personas.id, id)).get();
}

/** The user's global default, null where none was ever set, and since when they are a user. */
export async function selectOwner(db: Database, userId: string) {
  return db.select({ defaultId: users.default_persona_id, createdAt: users.created_at }).from(users).where(eq(users.id, userId)).get();
}

/** True for an id that is a user's: their personalized persona goes by it. */
export async function isUserId(db: Database, id: string): Promise<boolean> {
  return (await db.select({ id: users.id }).from(users).where(eq(users.id, id)).get()) !== undefined;
}

export async function countPersonas(db: Database, userId: string): Promise<number> {
  return db.$count(personas, eq(personas.user_id, userId));
}

type NewPersona = Pick<PersonaRow, "id" | "user_id" | "name" | "content">;
type NewRow = NewPersona & Pick<PersonaRow, "team_id" | "is_untrusted">;

/** Stores a persona; undefined where its id is taken, or where its creator or its team has no room. */
export async function insertPersona(db: Database, persona: NewRow, at: string): Promise<PersonaRow | undefined> {
  const { id, user_id: userId, team_id: teamId, name, content, is_untrusted: isUntrusted } = persona;
  const own = sql`(SELECT count(*) FROM user_system_prompts h WHERE h.user_id = ${userId})`;
  // In the columns' order.
  return db
    .insert(personas)
    .select(
      sql`SELECT ${id}, ${userId}, ${teamId}, ${name}, ${content}, NULL, 0, 0, 1, ${at}, ${at}, ${Number(isUntrusted)}
        WHERE ${and(sql`${own} < ${PERSONAS_MAX}`, teamHasRoom(teamId))}`,
    )
    .onConflictDoNothing()
    .returning()
    .get();
}

/** Gives an account the row of its personalized persona, once; flagged, and its default, where it has no other. */
export async function insertPersonalized(db: Database, { id, user_id, name, content }: NewPersona, at: string): Promise<void> {
  const hasNone = sql<boolean>`NOT EXISTS (SELECT 1 FROM user_system_prompts o WHERE o.user_id = ${user_id} AND o.is_default = 1)`;
  await db.batch([
    db
      .insert(personas)
      .values({ id, user_id, name, content, is_personalized: true, is_default: hasNone, created_at: at, updated_at: at })
      .onConflictDoNothing(),
    db
      .update(users)
      .set({ default_persona_id: id })
      .where(and(eq(users.id, user_id), isNull(users.default_persona_id))),
  ]);
}

type Change = Partial<Pick<PersonaRow, "name" | "content" | "personalization" | "is_untrusted">>;

/** Changes a persona that still is as it was read, and keeps what it said before; undefined where another change came first. */
export async function updatePersonaRow(db: Database, before: PersonaRow, change: Change, at: string): Promise<PersonaRow | undefined> {
  const { id, user_id: userId, version, name, content, personalization, is_untrusted, updated_at: createdAt } = before;
  const isSame = and(eq(personas.id, id), eq(personas.user_id, userId), eq(personas.version, version));
  const previousVersion = { persona_id: id, version, name, content, personalization, is_untrusted, created_at: createdAt };
  const [, , changed] = await db.batch([
    db.insert(personaVersions).values(previousVersion).onConflictDoNothing(),
    db.delete(personaVersions).where(and(eq(personaVersions.persona_id, id), lte(personaVersions.version, version - PERSONA_VERSIONS))),
    db
      .update(personas)
      .set({ ...change, version: version + 1, updated_at: at })
      .where(isSame)
      .returning(),
  ]);
  return changed[0];
}

/** Moves a persona into a team or out of it; what it says is no other version. Undefined where it is gone, or the team has no room. */
export async function movePersonaRow(db: Database, id: string, teamId: string | null): Promise<PersonaRow | undefined> {
  return db
    .update(personas)
    .set({ team_id: teamId })
    .where(and(eq(personas.id, id), teamHasRoom(teamId)))
    .returning()
    .get();
}

/** Asked, in SQL, by the statement that shares a persona, as several may come at once. */
function teamHasRoom(teamId: string | null) {
  if (teamId === null) return undefined;
  return sql`(SELECT count(*) FROM user_system_prompts h WHERE h.team_id = ${teamId}) < ${TEAM_PERSONAS_MAX}`;
}

export async function countTeamPersonas(db: Database, teamId: string): Promise<number> {
  return db.$count(personas, eq(personas.team_id, teamId));
}

export async function selectVersions(db: Database, personaId: string) {
  return db.select().from(personaVersions).where(eq(personaVersions.persona_id, personaId)).orderBy(desc(personaVersions.version));
}

/** Takes the personalization out of an earlier version. */
export async function clearVersion(db: Database, personaId: string, version: number): Promise<void> {
  const isIt = and(eq(personaVersions.persona_id, personaId), eq(personaVersions.version, version));
  await db.update(personaVersions).set({ personalization: null }).where(isIt);
}

/** Makes a persona the user's default; one of their own takes the mark from the other in the same moment. False, and nothing changed, where it is gone. */
export async function updateDefault(db: Database, userId: string, { id, isOwn }: { id: string; isOwn: boolean }): Promise<boolean> {
  const isThere = sql`EXISTS (SELECT 1 FROM user_system_prompts o WHERE o.id = ${id})`;
  const global = db
    .update(users)
    .set({ default_persona_id: id })
    .where(and(eq(users.id, userId), isThere))
    .returning({ id: users.id });
  if (!isOwn) return (await global).length > 0;
  const [, , made] = await db.batch([
    db
      .update(personas)
      .set({ is_default: false })
      .where(and(eq(personas.user_id, userId), eq(personas.is_default, true), isThere)),
    db
      .update(personas)
      .set({ is_default: true })
      .where(and(eq(personas.user_id, userId), eq(personas.id, id))),
    global,
  ]);
  return made.length > 0;
}

/** Deletes a persona; its creator's mark goes to the personalized one, and whose default it was has the flagged one of their own again. */
export async function deletePersonaRow(db: Database, { id, user_id: userId }: PersonaRow): Promise<void> {
  const flagged = sql`(SELECT p.id FROM user_system_prompts p WHERE p.user_id = ${users.id} AND p.is_default = 1)`;
  const hasNone = sql`NOT EXISTS (SELECT 1 FROM user_system_prompts o WHERE o.user_id = ${userId} AND o.is_default = 1)`;
  await db.batch([
    db.delete(personaVersions).where(eq(personaVersions.persona_id, id)),
    db.delete(personas).where(eq(personas.id, id)),
    db
      .update(personas)
      .set({ is_default: true })
      .where(and(eq(personas.user_id, userId), eq(personas.is_personalized, true), hasNone)),
    db.update(users).set({ default_persona_id: flagged }).where(eq(users.default_persona_id, id)),
  ]);
}
