import * as z from "zod/mini";
import { Ok } from "#shared/contracts/account/auth.ts";
import { asName } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { Id } from "#shared/entities/ids.ts";
import { McpAuth, McpConnection, McpTest } from "#shared/entities/library/mcp-connection.ts";
import { CONTENT_NAME_LENGTH, FRESH_OWN_MIN } from "#shared/limits.ts";

const Params = z.object({ id: Id });

const DESCRIPTION_LENGTH = 500;
const URL_LENGTH = 2_000;
const SECRET_LENGTH = 8_000;
const HEADERS_MAX = 10;

const ServerUrl = z.pipe(
  z.string().check(z.trim(), z.minLength(1, "The server URL is required."), z.maxLength(URL_LENGTH, "The server URL is too long.")),
  z.url({ protocol: /^https?$/, error: "The server URL must be a URL." }),
);

/** Characters that end a line or the text itself would change what is sent besides. */
const Secret = z
  .string()
  .check(z.trim(), z.minLength(1), z.maxLength(SECRET_LENGTH), z.regex(/^[\x20-\x7e]+$/, "Only plain characters can be sent."));

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/;
/** What the protocol itself sends, and what says who really asks. */
const TAKEN_NAME =
  /^(?:host|content-length|content-type|accept|connection|transfer-encoding|cookie|mcp-.*|cf-.*|proxy-.*|sec-.*|x-forwarded-.*)$/i;

const Headers = z.record(z.string(), Secret).check(
  z.refine((given) => Object.keys(given).length <= HEADERS_MAX, "At most 10 headers."),
  z.refine((given) => Object.keys(given).every((name) => HEADER_NAME.test(name)), "That is not the name of a header."),
  z.refine((given) => !Object.keys(given).some((name) => TAKEN_NAME.test(name)), "This header is not yours to set."),
);

/** What proves who asks: what is not given of it stays as it is. */
const auth = {
  auth_type: z.optional(McpAuth),
  token: z.optional(Secret),
  headers: z.optional(Headers),
};

/** What somebody registered at a server that registers nobody by itself: what is not given stays, null forgets it, and a secret goes with its id. */
const client = {
  client_id: z.optional(
    z.nullable(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(1, "The client ID is empty."),
          z.maxLength(URL_LENGTH, "The client ID is too long."),
          z.regex(/^[\x20-\x7e]+$/, "Only plain characters can be sent."),
        ),
    ),
  ),
  client_secret: z.optional(z.nullable(Secret)),
};

const Name = z.string().check(asName, z.minLength(1, "The name is required."), z.maxLength(CONTENT_NAME_LENGTH, "That name is too long."));
const Description = z.nullable(z.string().check(z.trim(), z.maxLength(DESCRIPTION_LENGTH, "That description is too long.")));

export const listMcpConnections = endpoint("GET", "/api/mcp-connections", {
  summary: "The caller's connections to MCP servers, without their credentials",
  access: "account",
  response: z.object({ connections: z.array(McpConnection) }),
});

export const createMcpConnection = endpoint("POST", "/api/mcp-connections", {
  summary:
    "Connect an MCP server by Streamable HTTP: its tools as they are now are agreed to with it; `client_id` and `client_secret` are for a server that registers nobody by itself",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "key",
  body: z.object({
    name: Name,
    description: z.optional(Description),
    server_url: ServerUrl,
    enabled: z.optional(z.boolean()),
    trusted: z.optional(z.boolean()),
    ...auth,
    ...client,
  }),
  response: z.object({ connection: McpConnection }),
  status: 201,
});

export const updateMcpConnection = endpoint("PUT", "/api/mcp-connections/:id", {
  summary:
    "Change a connection, which needs a sign-in of the last 60 minutes unless it only takes power away; at another server its credentials and its client have to be given anew",
  access: "account",
  params: Params,
  body: z.partial(
    z.object({
      name: Name,
      description: Description,
      server_url: ServerUrl,
      enabled: z.boolean(),
      trusted: z.boolean(),
      ...auth,
      ...client,
    }),
  ),
  response: z.object({ connection: McpConnection }),
});

export const deleteMcpConnection = endpoint("DELETE", "/api/mcp-connections/:id", {
  summary: "Remove a connection with its credentials, and what was set about its tools",
  access: "account",
  params: Params,
  response: Ok,
});

export const testMcpConnection = endpoint("POST", "/api/mcp-connections/test", {
  summary: "Try a server and name its tools; of a connection (`id`) with what is kept of it, and its state is noted",
  access: "account",
  repeat: "same",
  body: z.object({ server_url: ServerUrl, id: z.optional(Id), ...auth }),
  response: McpTest,
});

export const acceptMcpTools = endpoint("POST", "/api/mcp-connections/:id/accept", {
  summary: "Agree to a server's tools as they are now; `seen` names the difference that was shown",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "same",
  params: Params,
  body: z.object({ seen: z.string() }),
  response: z.object({ connection: McpConnection }),
});

export const signInToMcp = endpoint("POST", "/api/mcp-connections/:id/sign-in", {
  summary:
    "Begin signing in at a connection's server: the address that the browser goes to; MCP_CLIENT_REQUIRED where it registers nobody and the connection has no `client_id`",
  access: "account",
  freshMinutes: FRESH_OWN_MIN,
  repeat: "key",
  params: Params,
  response: z.object({ url: z.string() }),
});

export const finishMcpSignIn = endpoint("GET", "/api/mcp-connections/callback", {
  summary: "Where a server's authorization returns to; redirects to the settings",
  access: "account",
  query: z.object({
    code: z.optional(z.string()),
    state: z.optional(z.string()),
    iss: z.optional(z.string()),
    error: z.optional(z.string()),
  }),
});

export const getMcpClient = endpoint("GET", "/api/mcp-connections/client.json", {
  summary: "What this deployment tells authorization servers of itself: its client ID metadata document",
  access: "anyone",
  response: z.object({
    client_id: z.string(),
    client_name: z.string(),
    client_uri: z.string(),
    redirect_uris: z.array(z.string()),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.literal("none"),
  }),
});
