import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/**
 * Connections to MCP servers. `credentials`, `sign_in` (what a sign-in under way has to remember) and `client` (the client that the person
 * registered themselves) are sealed; `tools` is what the person agreed to, `offers` what the server named when it was last asked, where that
 * differs.
 */
export const mcpConnections = sqliteTable("mcp_connections", {
  id: text().primaryKey(),
  user_id: text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  name: text().notNull(),
  description: text(),
  server_url: text().notNull(),
  enabled: integer({ mode: "boolean" }).notNull().default(true),
  /** True where the person believes what the server says of its tools. */
  trusted: integer({ mode: "boolean" }).notNull().default(false),
  auth_type: text({ enum: ["none", "bearer", "headers", "oauth"] })
    .notNull()
    .default("none"),
  state: text({ enum: ["ready", "needs_sign_in", "failing"] })
    .notNull()
    .default("ready"),
  error: text(),
  /** Until when the list of tools needs no asking again, and when it was asked for last. */
  fresh_until: text(),
  checked_at: text(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
  credentials: text(),
  sign_in: text(),
  tools: text().notNull().default("[]"),
  offers: text(),
  client: text(),
});
