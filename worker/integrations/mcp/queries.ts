import { and, asc, eq, isNull, ne, sql } from "drizzle-orm";
import { MCP_CONNECTIONS_MAX } from "#shared/limits.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { mcpConnections } from "#worker/platform/db/schema/mcp-connections.ts";
import { toolSettings } from "#worker/platform/db/schema/tool-settings.ts";

export type ConnectionRow = typeof mcpConnections.$inferSelect;
export type ConnectionChange = Partial<Omit<ConnectionRow, "id" | "user_id" | "created_at">>;

const own = (userId: string, id: string) => and(eq(mcpConnections.id, id), eq(mcpConnections.user_id, userId));

/** A user's connections, the oldest first. */
export async function selectConnections(db: Database, userId: string): Promise<ConnectionRow[]> {
  return db
    .select()
    .from(mcpConnections)
    .where(eq(mcpConnections.user_id, userId))
    .orderBy(asc(mcpConnections.created_at), asc(mcpConnections.id));
}

/** What a user's connections are called that can be used now. */
export async function selectNames(db: Database, userId: string): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: mcpConnections.id, name: mcpConnections.name })
    .from(mcpConnections)
    .where(and(eq(mcpConnections.user_id, userId), eq(mcpConnections.enabled, true), ne(mcpConnections.state, "needs_sign_in")));
}

export async function selectConnection(db: Database, userId: string, id: string): Promise<ConnectionRow | undefined> {
  return db.select().from(mcpConnections).where(own(userId, id)).get();
}

/** Adds a connection; false where its person has as many as there may be. */
export async function insertConnection(db: Database, row: ConnectionRow): Promise<boolean> {
  const ownCount = sql<number>`(SELECT count(*) FROM mcp_connections h WHERE h.user_id = ${row.user_id})`;
  const values = Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, sql`${typeof value === "boolean" ? Number(value) : value}`]),
  );
  const columns = sql.join(
    Object.keys(values).map((name) => sql.identifier(name)),
    sql`, `,
  );
  const listed = sql.join(Object.values(values), sql`, `);
  const { meta } = await db.run(sql`INSERT INTO mcp_connections (${columns}) SELECT ${listed} WHERE ${ownCount} < ${MCP_CONNECTIONS_MAX}`);
  return meta.changes > 0;
}

/** Changes a user's connection; undefined where there is none. */
export async function updateConnection(
  db: Database,
  userId: string,
  id: string,
  change: ConnectionChange,
): Promise<ConnectionRow | undefined> {
  return db.update(mcpConnections).set(change).where(own(userId, id)).returning().get();
}

/** Changes a connection whose server, client and way to prove who asks are still as they were read; undefined where they are not. */
export async function updateAsRead(
  db: Database,
  { user_id: userId, id, server_url: url, auth_type: authType, client }: ConnectionRow,
  change: ConnectionChange,
): Promise<ConnectionRow | undefined> {
  const isSameClient = client === null ? isNull(mcpConnections.client) : eq(mcpConnections.client, client);
  const isAsRead = and(own(userId, id), eq(mcpConnections.server_url, url), eq(mcpConnections.auth_type, authType), isSameClient);
  return db.update(mcpConnections).set(change).where(isAsRead).returning().get();
}

type OfTools = { userId: string; toolsBegin: string };

/** Forgets what a user set about tools whose ids begin so. */
export async function deleteToolSettings(db: Database, tools: OfTools): Promise<void> {
  await settingsOf(db, tools);
}

function settingsOf(db: Database, { userId, toolsBegin }: OfTools) {
  const isOne = sql`substr(${toolSettings.tool_id}, 1, ${toolsBegin.length}) = ${toolsBegin}`;
  return db.delete(toolSettings).where(and(eq(toolSettings.user_id, userId), isOne));
}

/** Removes a user's connection and what was set about its tools, whose ids begin so; false where there is none. */
export async function deleteConnection(db: Database, { userId, id, toolsBegin }: OfTools & { id: string }): Promise<boolean> {
  const [removed] = await db.batch([
    db.delete(mcpConnections).where(own(userId, id)).returning({ id: mcpConnections.id }),
    settingsOf(db, { userId, toolsBegin }),
  ]);
  return removed.length > 0;
}

/** Notes that a connection's server is being asked; false where somebody else noted it since the row was read. */
export async function claimListing(db: Database, { id, user_id: userId, checked_at: before }: ConnectionRow): Promise<boolean> {
  const isAsRead = before === null ? isNull(mcpConnections.checked_at) : eq(mcpConnections.checked_at, before);
  const claimed = await db
    .update(mcpConnections)
    .set({ checked_at: new Date().toISOString() })
    .where(and(own(userId, id), isAsRead))
    .returning({ id: mcpConnections.id });
  return claimed.length > 0;
}

/** Takes what a sign-in under way remembered, once; false where somebody else has it. */
export async function consumeSignIn(db: Database, { id, user_id: userId, sign_in: signIn }: ConnectionRow): Promise<boolean> {
  if (signIn === null) return false;
  const taken = await db
    .update(mcpConnections)
    .set({ sign_in: null })
    .where(and(own(userId, id), eq(mcpConnections.sign_in, signIn)))
    .returning({ id: mcpConnections.id });
  return taken.length > 0;
}
