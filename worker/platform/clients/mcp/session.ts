/** The one place where the protocol's client is used: sessions with MCP servers, their tools and results in the product's own terms. */
import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { McpError } from "./mcp-error.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

type Signals = {
  /** Aborted where an answer was too large. */
  over: AbortSignal;
  /** The caller's own: what it ends is no failure of the server's. */
  own: AbortSignal;
};

/** As much of the protocol client's errors as distinguishes them; they hold it as data, not as classes that outlive its copies. */
const ErrorFields = z.looseObject({
  name: z.optional(z.string()),
  message: z._default(z.string(), ""),
  code: z.optional(z.union([z.string(), z.number()])),
  status: z.optional(z.number()),
  cause: z.optional(z.unknown()),
});

/** A failure in the product's terms; a signal's own reason stays what it is. */
function toMcpError(error: unknown, { over, own }: Signals): unknown {
  if (own.aborted) return own.reason;
  if (over.aborted) return over.reason;
  const inner = findInner(error);
  if (inner) return inner;
  const { name, code, status, message } = read(error);
  const scope = scopeWanted(error);
  if (scope !== undefined) return new McpError("sign_in", MORE, error, scope);
  if (name === "UnauthorizedError" || name === "InsufficientScopeError" || code === "CLIENT_HTTP_AUTHENTICATION") return signIn(error);
  if (status === 401 || status === 403) return signIn(error);
  if (code === "REQUEST_TIMEOUT") return new McpError("timeout", "The server did not answer in time.", error);
  if (typeof code === "number") return new McpError("refused", `The server refused this: ${message.slice(0, ERROR_TEXT_LENGTH)}`, error);
  if (status === 404 || (status === 400 && /session/i.test(message))) return new McpError("lost", "This is not an MCP endpoint.", error);
  if (status === 405 || status === 406 || status === 415) return new McpError("not_mcp", "This is not an MCP endpoint.", error);
  if (status !== undefined) return new McpError("unreachable", `The server answered with status ${status}.`, error);
  if (code === "LIST_PAGINATION_EXCEEDED") return new McpError("refused", "The server's list of tools does not end.", error);
  if (code === "INVALID_RESULT" || name === "ZodError" || name === "$ZodError")
    return new McpError("refused", "The server's answer is not valid.", error);
  if (/content.?type|not valid json|unexpected token/i.test(messagesOf(error)))
    return new McpError("not_mcp", "This is not an MCP endpoint.", error);
  if (/redirect/i.test(messagesOf(error))) return new McpError("unreachable", "The server sends elsewhere, which is not followed.", error);
  return new McpError("unreachable", "The server could not be reached.", error);
}

const ERROR_TEXT_LENGTH = 1_000;
const DEPTH = 5;

function signIn(cause: unknown): McpError {
  return new McpError("sign_in", "The server requires authorization.", cause);
}

const MORE = "The server wants more rights than it was given. The user can give them by signing in to it again in the settings.";

/** What the server names in its refusal of a call; whatever the client wraps around it is gone through. */
function scopeWanted(error: unknown, depth = 0): string | undefined {
  if (typeof error !== "object" || error === null || depth >= DEPTH) return undefined;
  const scope: unknown = Reflect.get(error, "requiredScope");
  return typeof scope === "string" && scope !== "" ? scope : scopeWanted(Reflect.get(error, "cause"), depth + 1);
}

/** What this side itself refused comes back within what the client makes of it. */
function findInner(error: unknown, depth = 0): McpError | null {
  if (error instanceof McpError) return error;
  const { cause } = read(error);
  return cause === undefined || depth >= DEPTH ? null : findInner(cause, depth + 1);
}

function messagesOf(error: unknown, depth = 0): string {
  const { message, cause } = read(error);
  return cause === undefined || depth >= DEPTH ? message : `${message} ${messagesOf(cause, depth + 1)}`;
}

/** The fields stand partly on the errors' prototypes. */
function read(error: unknown): z.infer<typeof ErrorFields> {
  if (typeof error !== "object" || error === null) return { message: String(error) };
  const fields = ["name", "message", "code", "status", "cause"].map((name) => [name, Reflect.get(error, name)]);
  const parsed = ErrorFields.safeParse(Object.fromEntries(fields.filter(([, value]) => value !== undefined)));
  const data: unknown = Reflect.get(error, "data");
  const inData = Status.safeParse(data).data?.status;
  return { ...(parsed.data ?? { message: "" }), ...(inData !== undefined && { status: inData }) };
}

const Status = z.object({ status: z.optional(z.number()) });

/** By their names, so that the rest of the package is no part of the Worker. */
const protocol = loadOnce(async () => {
  const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  return { Client, StreamableHTTPClientTransport };
});

const CONNECT_MS = 10_000;
const PROBE_MS = 8_000;
const FAREWELL_MS = 2_000;
/** Without a sign of life; a server that shows progress may take up to the second. */
const CALL_MS = 60_000;
/** The longest a call takes, in milliseconds. */
export const LONGEST_CALL_MS = 300_000;
const PAGES = 20;
/** Bytes of a session's answers together: the platform's isolates have 128 MB for everything. */
const SESSION_BYTES = 12 * 1_048_576;

/** Where a server is, and how requests to it say who asks. */
export type McpTarget = {
  url: string;
  headers: Record<string, string>;
  /** The access token of now, where there is one that can be renewed; `refused` is one that the server did not take. Throws `McpError`. */
  token: ((refused: string | null) => Promise<string>) | null;
};

/** A tool as its server names it. */
const NamedTool = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(128)),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  inputSchema: z.looseObject({ type: z.literal("object") }),
  execution: z.optional(z.object({ taskSupport: z.optional(z.string()) })),
  annotations: z.optional(z.object({ title: z.optional(z.string()), readOnlyHint: z.optional(z.boolean()) })),
});
export type NamedTool = z.infer<typeof NamedTool>;

const Binary = z.object({ data: z.string(), mimeType: z.string() });
const ResourceContents = z.object({
  uri: z.string(),
  mimeType: z.optional(z.string()),
  text: z.optional(z.string()),
  blob: z.optional(z.string()),
});

/** A part of a result, of the kinds that the protocol knows; others are left out. */
const Content = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.extend(Binary, { type: z.literal("image") }),
  z.extend(Binary, { type: z.literal("audio") }),
  z.object({ type: z.literal("resource_link"), uri: z.string(), name: z.optional(z.string()), title: z.optional(z.string()) }),
  z.object({ type: z.literal("resource"), resource: ResourceContents }),
]);
export type McpContent = z.infer<typeof Content>;

const Result = z.object({
  content: z._default(z.array(z.unknown()), []),
  structuredContent: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
});

/** What a call gave; `structured` is undefined where the server sent none. */
export type McpResult = { isError: boolean; content: McpContent[]; structured: unknown };

export type McpProgress = { progress: number; total: number | null; message: string | null };

/** `ttlMs` is how long the server says that its list holds; null where it says nothing. */
export type McpTools = { tools: NamedTool[]; ttlMs: number | null };

type Call = {
  name: string;
  schema: Record<string, unknown>;
  input: Record<string, unknown>;
  signal: AbortSignal;
  onProgress: (progress: McpProgress) => void;
};

/** A session with one server. All its functions throw `McpError`, or its own signal's reason. */
export type McpSession = {
  tools(signal: AbortSignal): Promise<McpTools>;
  call(call: Call): Promise<McpResult>;
  close(): Promise<void>;
};

const Listed = z.object({ tools: z.array(z.unknown()), ttlMs: z.optional(z.number()) });

/** Opens a session, of whichever generation of the protocol the server speaks; it declares no capability. */
export async function openSession(env: Env, target: McpTarget, signal: AbortSignal): Promise<McpSession> {
  const { Client, StreamableHTTPClientTransport } = await protocol();
  const over = new AbortController();
  const bounded = guardedFetch(env, { maxBytes: SESSION_BYTES, onTooLarge: (error) => over.abort(error) });
  const within = (own: AbortSignal) => AbortSignal.any([own, over.signal]);
  const explain = (error: unknown, own: AbortSignal) => toMcpError(error, { over: over.signal, own });
  const { token } = target;
  let current: string | undefined;
  const transport = new StreamableHTTPClientTransport(new URL(target.url), {
    fetch: bounded,
    requestInit: { headers: target.headers },
    ...(token && {
      authProvider: {
        token: async () => (current ??= await token(null)),
        onUnauthorized: async () => {
          current = await token(current ?? null);
        },
      },
    }),
    // What waits for more rights than were given asks its person, and is not sent again.
    onInsufficientScope: "throw",
  });
  const client = new Client(
    { name: APP_NAME, version: configOf(env).version },
    { capabilities: {}, versionNegotiation: { mode: "auto", probe: { timeoutMs: PROBE_MS } }, listMaxPages: PAGES },
  );
  client.onerror = () => undefined;
  const close = async () => {
    // Whether the server takes notice of the end is its own affair.
    await Promise.race([transport.terminateSession().catch(() => undefined), scheduler.wait(FAREWELL_MS)]);
    await client.close();
  };
  try {
    await client.connect(transport, { signal: within(signal), timeout: CONNECT_MS });
  } catch (error) {
    await client.close();
    const explained = explain(error, signal);
    throw isNoMcp(explained) && (await isOldServer(bounded, target, within(signal))) ? new McpError("not_mcp", OLD, error) : explained;
  }
  return {
    close,
    async tools(own) {
      try {
        const listed = Listed.parse(await client.listTools(undefined, { signal: within(own), timeout: CONNECT_MS }));
        const named = listed.tools.flatMap((tool) => NamedTool.safeParse(tool).data ?? []);
        // A call of one that runs as a task alone would be refused.
        const tools = named.filter(({ execution }) => execution?.taskSupport !== "required");
        return { tools, ttlMs: listed.ttlMs ?? null };
      } catch (error) {
        throw explain(error, own);
      }
    },
    async call({ name, schema, input, signal: own, onProgress }) {
      try {
        const result = await client.callTool(
          { name, arguments: input },
          {
            signal: within(own),
            timeout: CALL_MS,
            resetTimeoutOnProgress: true,
            maxTotalTimeout: LONGEST_CALL_MS,
            onprogress: ({ progress, total, message }) => onProgress({ progress, total: total ?? null, message: message ?? null }),
            // What of the arguments goes into headers stands in the schema; what it says of the answer nobody has to check.
            toolDefinition: { name, inputSchema: { ...schema, type: "object" } },
          },
        );
        const { content, structuredContent, isError = false } = Result.parse(result);
        return { isError, content: content.flatMap((part) => Content.safeParse(part).data ?? []), structured: structuredContent };
      } catch (error) {
        throw explain(error, own);
      }
    },
  };
}

const OLD =
  "This server speaks MCP's older HTTP+SSE transport, which is not supported. Ask whoever runs it for an address that speaks Streamable HTTP, often the same one with /mcp at its end.";
/** Bytes in which such a server has said where its messages go. */
const BEGINNING_BYTES = 4_096;

function isNoMcp(error: unknown): boolean {
  return error instanceof McpError && (error.kind === "not_mcp" || error.kind === "lost");
}

/** Whether a server is of the protocol's first generation: it answers a GET with events, and first says where its messages go. */
async function isOldServer(fetchFn: ReturnType<typeof guardedFetch>, target: McpTarget, signal: AbortSignal): Promise<boolean> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(FAREWELL_MS)]);
    const response = await fetchFn(target.url, { headers: { ...target.headers, accept: "text/event-stream" }, signal: limit });
    const isStream = response.ok && response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!isStream || !response.body) {
      await response.body?.cancel();
      return false;
    }
    let text = "";
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      if (/^event: ?endpoint\r?$/m.test(text)) return true;
      if (text.length > BEGINNING_BYTES) break;
    }
    return false;
  } catch {
    // Whatever this one says now, it is no MCP endpoint.
    return false;
  }
}
