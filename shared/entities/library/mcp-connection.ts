import * as z from "zod/mini";
import { Id, Timestamp } from "../ids.ts";
import { CategoryState } from "../tool-category.ts";

/** How requests say to a server who asks. */
export const McpAuth = z.enum(["none", "bearer", "headers", "oauth"]);
export type McpAuth = z.infer<typeof McpAuth>;

/** A tool of a server, as whoever connects it sees it. */
export const McpTool = z.object({ name: z.string(), description: z.string(), says_read_only: z.boolean() });
export type McpTool = z.infer<typeof McpTool>;

/** What a server's list holds that was not agreed to; `seen` names this very difference. */
export const McpChanges = z.object({
  added: z.array(McpTool),
  changed: z.array(z.object({ before: McpTool, after: McpTool })),
  removed: z.array(McpTool),
  seen: z.string(),
});
export type McpChanges = z.infer<typeof McpChanges>;

/** A connection to an MCP server; credentials are never part of it. */
export const McpConnection = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  server_url: z.string(),
  enabled: z.boolean(),
  created_at: Timestamp,
  auth_type: McpAuth,
  /** The names of the headers that go along, without what they hold. */
  header_names: z.array(z.string()),
  /** The client that its person registered at the server themselves, whose secret is never shown; null where it registers by itself. */
  client_id: z.nullable(z.string()),
  has_client_secret: z.boolean(),
  /** True where what the server says of its tools is believed. */
  trusted: z.boolean(),
  state: CategoryState,
  /** Why it is failing, in words. */
  error: z.nullable(z.string()),
  /** The tools that its person agreed to. */
  tools: z.array(McpTool),
  changes: z.nullable(McpChanges),
});
export type McpConnection = z.infer<typeof McpConnection>;

export const McpTest = z.object({
  success: z.boolean(),
  tools_count: z.number(),
  tools: z.array(McpTool),
  error: z.nullable(z.string()),
  /** True where the server wants somebody to sign in. */
  needs_sign_in: z.boolean(),
});
export type McpTest = z.infer<typeof McpTest>;
