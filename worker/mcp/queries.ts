import { asc, eq } from "drizzle-orm";
import type { Database } from "../db/client.ts";
import { mcpConnections } from "../db/schema/mcp-connections.ts";

export type ConnectionRow = typeof mcpConnections.$inferSelect;

/** A user's connections, the oldest first. */
export async function selectConnections(db: Database, userId: string): Promise<ConnectionRow[]> {
  return db
    .select()
    .from(mcpConnections)
    .where(eq(mcpConnections.user_id, userId))
    .orderBy(asc(mcpConnections.created_at), asc(mcpConnections.id));
}
