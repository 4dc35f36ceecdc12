import { expect, test } from "vitest";
import type { McpConnection } from "#shared/entities/library/mcp-connection.ts";
import { bodyOf, type ConnectionDraft, draftOf as openDraftOf, missingOf } from "#web/features/integrations/mcp/connection-draft.ts";

const existing: McpConnection = {
  id: "0123abcd-0000-4000-8000-000000000000",
  name: "Notes",
  description: null,
  server_url: "https://notes.example/mcp",
  enabled: true,
  created_at: "2026-11-20T09:41:00.000Z",
  auth_type: "bearer",
  header_names: [],
  client_id: null,
  has_client_secret: false,
  trusted: false,
  state: "ready",
  error: null,
  tools: [],
  changes: null,
};

/** What a form holds at first. */
const draftOf = (connection: McpConnection | null): ConnectionDraft => ({
  ...openDraftOf(connection),
  token: "",
  headers: "",
  clientSecret: "",
});

test("a connection needs a name, an address and what its kind of access takes", () => {
  expect(missingOf(draftOf(null), null)).toEqual({ name: "The name is required.", url: "The server URL is required." });
  const draft = { ...draftOf(null), name: "Notes", url: "notes" };
  expect(missingOf(draft, null)).toEqual({ url: "The server URL must be a URL." });
  const url = "https://notes.example/mcp";
  expect(missingOf({ ...draft, url }, null)).toEqual({});
  expect(missingOf({ ...draft, url, auth: "bearer" }, null)).toEqual({ secret: "A token is required." });
  expect(missingOf({ ...draft, url, auth: "headers", headers: "X-Key" }, null).secret).toContain("line of its own");
});

test("a kept token goes along with its own server alone", () => {
  const draft = draftOf(existing);
  expect(missingOf(draft, existing)).toEqual({});
  expect(bodyOf(draft)).not.toHaveProperty("token");
  expect(missingOf({ ...draft, url: "https://other.example/mcp" }, existing)).toEqual({ secret: "A token is required." });
});

test("a client of one's own goes along with a sign-in alone, and its secret where it is typed", () => {
  const draft = { ...draftOf(null), name: "Guild", url: "https://guild.example/mcp", auth: "oauth" as const };
  expect(bodyOf(draft)).toMatchObject({ client_id: null });
  expect(bodyOf({ ...draft, clientId: " app-1 " })).toMatchObject({ client_id: "app-1" });
  expect(bodyOf({ ...draft, clientId: "app-1" })).not.toHaveProperty("client_secret");
  expect(bodyOf({ ...draft, clientId: "app-1", clientSecret: "s3cret" })).toMatchObject({ client_id: "app-1", client_secret: "s3cret" });
  expect(bodyOf({ ...draft, auth: "none", clientId: "app-1", clientSecret: "s3cret" })).not.toHaveProperty("client_id");
  expect(missingOf({ ...draft, clientSecret: "s3cret" }, null)).toEqual({ client: "A client secret needs its client ID." });
});

test("headers are sent by name", () => {
  const draft = {
    ...draftOf(null),
    name: " A ",
    url: "https://a.example/",
    auth: "headers" as const,
    headers: "X-Key: one two\n\nX-Team:3",
  };
  expect(bodyOf(draft)).toMatchObject({ name: "A", headers: { "X-Key": "one two", "X-Team": "3" } });
});
