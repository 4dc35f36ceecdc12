import { type SQL, sql } from "drizzle-orm";
import type { ArtifactFilter, ArtifactSort } from "#shared/entities/library/artifact-list.ts";
import type { Database } from "#worker/platform/db/client.ts";

/** A place in the list: what it goes by, and the id where that is the same. */
export type Place = { key: string; id: string };

export type ListInput = {
  userId: string;
  /** `personal`, `all`, or a team's id. */
  workspace: string;
  filter: ArtifactFilter;
  sort: ArtifactSort;
  q: string;
  after: Place | null;
  limit: number;
};

/** Words of a query that titles are looked through for: a statement takes a hundred parameters. */
const WORDS_MAX = 10;

export async function selectTeamIds(db: Database, userId: string): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT team_id AS id FROM team_members WHERE user_id = ${userId}`);
  return rows.map(({ id }) => id);
}

/** The places of a page, in their order; each way to an artifact is read by its own index, so one may come more than once. */
export async function selectPlaces(db: Database, input: ListInput, teamIds: readonly string[]): Promise<Place[]> {
  const branches = branchesOf(input, teamIds);
  if (branches.length === 0) return [];
  const all = sql.join(
    branches.map((places) => sql`SELECT * FROM (${places})`),
    sql` UNION `,
  );
  const order = input.sort === "title" ? sql`key COLLATE NOCASE ASC, id ASC` : sql`key DESC, id DESC`;
  return db.all<Place>(sql`SELECT id, key FROM (${all}) ORDER BY ${order} LIMIT ${input.limit}`);
}

function branchesOf(input: ListInput, teamIds: readonly string[]): SQL[] {
  const { userId, workspace, filter } = input;
  if (filter === "pinned") return [pinnedBranch(input)];
  // All teams are one branch: a statement may have few.
  const byTeams = (ids: readonly string[]) =>
    branch(input, {
      from: sql`artifact_team_shares w JOIN artifacts a ON a.id = w.artifact_id`,
      way: sql`w.team_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
      shares: true,
    });
  if (workspace !== "personal" && workspace !== "all") return teamIds.includes(workspace) ? [byTeams([workspace])] : [];
  const own = branch(input, { from: sql`artifacts a`, way: sql`a.user_id = ${userId}`, shares: false });
  const direct = branch(input, {
    from: sql`artifact_shares w JOIN artifacts a ON a.id = w.artifact_id`,
    way: sql`w.user_id = ${userId}`,
    shares: true,
  });
  return [
    ...(filter === "shared" ? [] : [own]),
    ...(filter === "owned" ? [] : [direct, ...(workspace === "all" ? [byTeams(teamIds)] : [])]),
  ];
}

/** One way to artifacts, in the list's order; shares carry their artifact's time, which their index goes by. */
function branch(input: ListInput, { from, way, shares }: { from: SQL; way: SQL; shares: boolean }): SQL {
  const { sort, limit } = input;
  const byShare = shares && sort === "updated";
  const id = byShare ? sql`w.artifact_id` : sql`a.id`;
  const key = byShare ? sql`w.updated_at` : sql.raw(KEYS[sort]);
  const order = sort === "title" ? sql`${key} COLLATE NOCASE ASC, ${id} ASC` : sql`${key} DESC, ${id} DESC`;
  return sql`SELECT ${id} AS id, ${key} AS key FROM ${from} WHERE ${way} ${conditions(input, { key, id })} ORDER BY ${order} LIMIT ${limit}`;
}

const KEYS = { updated: "a.updated_at", created: "a.created_at", title: "a.title" };

function pinnedBranch(input: ListInput): SQL {
  const key = sql.raw(KEYS[input.sort]);
  const isHere =
    input.workspace === "all" || input.workspace === "personal"
      ? sql``
      : sql`AND EXISTS (
    SELECT 1 FROM artifact_team_shares t WHERE t.artifact_id = a.id AND t.team_id = ${input.workspace})`;
  return sql`SELECT a.id AS id, ${key} AS key FROM artifact_marks k JOIN artifacts a ON a.id = k.artifact_id
    WHERE k.user_id = ${input.userId} AND k.is_pinned = 1 ${isHere} ${conditions(input, { key, id: sql`a.id` })}`;
}

function conditions({ userId, workspace, filter, sort, q, after }: ListInput, { key, id }: { key: SQL; id: SQL }): SQL {
  const inTeams = sql`EXISTS (SELECT 1 FROM artifact_team_shares t JOIN team_members m ON m.team_id = t.team_id
    WHERE t.artifact_id = a.id AND m.user_id = ${userId})`;
  const words = q
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, WORDS_MAX);
  const parts = [
    ...(workspace === "personal" ? [sql`NOT ${inTeams}`] : []),
    ...(filter === "owned" ? [sql`a.user_id = ${userId}`] : []),
    ...(filter === "shared" ? [sql`a.user_id <> ${userId}`] : []),
    ...words.map((word) => sql`instr(lower(a.title), lower(${word})) > 0`),
    ...(after === null ? [] : [beyond(sort, { key, id, after })]),
  ];
  return parts.length === 0 ? sql`` : sql`AND ${sql.join(parts, sql` AND `)}`;
}

function beyond(sort: ArtifactSort, { key, id, after }: { key: SQL; id: SQL; after: Place }): SQL {
  if (sort !== "title") return sql`(${key}, ${id}) < (${after.key}, ${after.id})`;
  return sql`(${key} COLLATE NOCASE > ${after.key} OR (${key} COLLATE NOCASE = ${after.key} AND ${id} > ${after.id}))`;
}
