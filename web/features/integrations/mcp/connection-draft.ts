import type { createMcpConnection } from "#shared/contracts/library/mcp-connections.ts";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import type { McpAuth, McpConnection } from "#shared/entities/library/mcp-connection.ts";
import { plainName } from "#shared/shown-text.ts";
import { createDrafts } from "#web/lib/draft-form.ts";

/** What is typed of a connection besides its secrets. */
export type OpenDraft = { name: string; description: string; url: string; auth: McpAuth; clientId: string; trusted: boolean };

/** What is typed of a connection's secrets, headers one a line; one that the server keeps is not shown again. */
export type SecretDraft = { token: string; headers: string; clientSecret: string };

/** A connection as it is typed. */
export type ConnectionDraft = OpenDraft & SecretDraft;

/** What was typed into a form and not saved, by the connection's id, or by the person's for a new one: closing the settings loses the secrets alone. */
export const connectionDrafts = createDrafts<OpenDraft>();

/** What is wrong with a draft, by its field. */
export type Missing = { name?: string; url?: string; secret?: string; client?: string };

/** What is typed at first. */
export function draftOf(connection: McpConnection | null): OpenDraft {
  return {
    name: connection?.name ?? "",
    description: connection?.description ?? "",
    url: connection?.server_url ?? "",
    auth: connection?.auth_type ?? "none",
    clientId: connection?.client_id ?? "",
    trusted: connection?.trusted ?? false,
  };
}

/** What of a draft cannot be sent; what a connection keeps need not be typed again, unless its server is another. */
export function missingOf(draft: ConnectionDraft, connection: McpConnection | null): Missing {
  const url = draft.url.trim();
  const hasStoredSecret = connection !== null && connection.auth_type === draft.auth && originOf(connection.server_url) === originOf(url);
  const headers = headersOf(draft.headers);
  return {
    ...(plainName(draft.name) === "" && { name: "The name is required." }),
    ...(url === "" ? { url: "The server URL is required." } : originOf(url) === null && { url: "The server URL must be a URL." }),
    ...(draft.auth === "bearer" && draft.token.trim() === "" && !hasStoredSecret && { secret: "A token is required." }),
    ...(draft.auth === "headers" && headers === null && { secret: "Write each header on a line of its own, as Name: value." }),
    ...(draft.auth === "oauth" &&
      draft.clientId.trim() === "" &&
      draft.clientSecret.trim() !== "" && { client: "A client secret needs its client ID." }),
    ...(draft.auth === "headers" &&
      headers !== null &&
      Object.keys(headers).length === 0 &&
      !hasStoredSecret && { secret: "A header is required." }),
  };
}

/** A draft as it is sent. */
export function bodyOf(draft: ConnectionDraft): BodyOf<typeof createMcpConnection> {
  const headers = headersOf(draft.headers) ?? {};
  return {
    name: plainName(draft.name),
    description: draft.description.trim(),
    server_url: draft.url.trim(),
    trusted: draft.trusted,
    auth_type: draft.auth,
    ...(draft.auth === "bearer" && draft.token.trim() !== "" && { token: draft.token.trim() }),
    ...(draft.auth === "headers" && Object.keys(headers).length > 0 && { headers }),
    ...(draft.auth === "oauth" && { client_id: draft.clientId.trim() || null }),
    ...(draft.auth === "oauth" && draft.clientSecret.trim() !== "" && { client_secret: draft.clientSecret.trim() }),
  };
}

function headersOf(text: string): Record<string, string> | null {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const pairs = lines.map((line) => /^([^:\s]+)\s*:\s*(\S.*)$/.exec(line));
  if (pairs.includes(null)) return null;
  return Object.fromEntries(pairs.flatMap((pair) => (pair ? [[pair[1] ?? "", pair[2] ?? ""]] : [])));
}

function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, origin } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? origin : null;
}
