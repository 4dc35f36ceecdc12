/** The one place where the protocol's client is used: sessions with MCP servers, their tools and results in the product's own terms. */
import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import { configOf, type Env } from "../../env.ts";
import { guardedFetch } from "./guarded-fetch.ts";
import { McpError } from "./mcp-error.ts";
import { toMcpError } from "./to-mcp-error.ts";
import { loadOnce } from "../../load-once.ts";

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

/** A piece of a result, of the kinds that the protocol knows; others are left out. */
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

/** How far a call is. */
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
