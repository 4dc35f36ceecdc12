import { McpError } from "#worker/platform/clients/mcp/mcp-error.ts";
import { type McpResult, type McpSession, openSession } from "#worker/platform/clients/mcp/session.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import type { ConnectedTool } from "#worker/conversation/tools/connected/connected-tool.ts";
import type { Connections, ToolContext, ToolResult } from "#worker/conversation/tools/tool.ts";
import { selectConnection } from "./queries.ts";
import { afterFailure, afterListing, fingerprint, noteListing } from "./refresh.ts";
import { noteWantedScope } from "./sign-in.ts";
import { toServedTools } from "./served-tool.ts";
import { serverTarget } from "./server-target.ts";
import { toToolResult } from "./tool-result.ts";

/** An open session, and what its server names now: a tool that is another than was agreed to is not called. */
type Open = { session: McpSession; agreed: ReadonlySet<string> };

/** The sessions of one turn: each server is connected to once, with the first call of one of its tools, and what was lost is opened once more. */
export function openSessions(env: Env, userId: string): Connections {
  const db = openDatabase(env.DB);
  const opened = new Map<string, Promise<Open>>();
  const opening = new Set<AbortController>();

  async function open(connectionId: string): Promise<Open> {
    const ending = new AbortController();
    opening.add(ending);
    try {
      return await openWithin(connectionId, ending.signal);
    } finally {
      opening.delete(ending);
    }
  }

  async function openWithin(connectionId: string, signal: AbortSignal): Promise<Open> {
    const row = await selectConnection(db, userId, connectionId);
    if (!row?.enabled) throw new McpError("refused", "The user switched this connection off.");
    try {
      const session = await openSession(env, await serverTarget(env, row), signal);
      const { tools, ttlMs } = await session.tools(signal);
      const served = toServedTools(tools);
      await noteListing(env, db, row, afterListing(row, { tools: served, ttlMs }, { agrees: false }));
      return { session, agreed: new Set(served.map(fingerprint)) };
    } catch (error) {
      if (error instanceof McpError) {
        await noteListing(env, db, row, afterFailure(row, error));
        await noteWantedScope({ env, db }, row, error);
      }
      throw error;
    }
  }

  /** Whoever calls first opens it for all; one that could not be opened is tried again by the next call. */
  function enter(connectionId: string): Promise<Open> {
    const known = opened.get(connectionId);
    if (known) return known;
    const next = open(connectionId);
    opened.set(connectionId, next);
    next.catch(() => opened.get(connectionId) === next && opened.delete(connectionId));
    return next;
  }

  async function callOnce(tool: ConnectedTool, input: Record<string, unknown>, { signal, part }: ToolContext): Promise<McpResult> {
    const { session, agreed } = await within(enter(tool.connectionId), signal);
    if (!agreed.has(tool.agreed)) throw new McpError("refused", CHANGED);
    const called = session.call({
      name: tool.name,
      schema: tool.schema,
      input,
      signal,
      onProgress: ({ progress, total, message }) => {
        const far = total === null ? `${progress}` : `${progress} of ${total}`;
        part({ id: "progress", title: message === null ? far : `${message.slice(0, TITLE_LENGTH)} (${far})` });
      },
    });
    return called.catch(async (error: unknown) => {
      if (error instanceof McpError && error.scope !== undefined) await askForScope(tool.connectionId, error);
      throw error;
    });
  }

  async function askForScope(connectionId: string, error: McpError): Promise<void> {
    const row = await selectConnection(db, userId, connectionId);
    if (row) await noteWantedScope({ env, db }, row, error);
  }

  async function call(tool: ConnectedTool, input: Record<string, unknown>, context: ToolContext): Promise<ToolResult> {
    const lost = opened.get(tool.connectionId);
    try {
      return await toToolResult(await callOnce(tool, input, context), tool, context);
    } catch (error) {
      // A server that knows no such session has not called anything.
      const isLost = error instanceof McpError && error.kind === "lost" && opened.get(tool.connectionId) !== undefined;
      if (!isLost) return failed(error, context.signal);
      const current = opened.get(tool.connectionId);
      if (lost === undefined || current === lost) opened.delete(tool.connectionId);
      await current?.then(({ session }) => session.close()).catch(() => undefined);
    }
    try {
      return await toToolResult(await callOnce(tool, input, context), tool, context);
    } catch (error) {
      return failed(error, context.signal);
    }
  }

  return {
    call,
    async close() {
      // What is still being opened nobody waits for any more.
      for (const ending of opening) ending.abort();
      const sessions = await Promise.allSettled(opened.values());
      const closing = sessions.flatMap((settled) => (settled.status === "fulfilled" ? [settled.value.session.close()] : []));
      for (const closed of await Promise.allSettled(closing)) {
        if (closed.status === "rejected") log.warn("a session was not closed", { cause: closed.reason });
      }
    },
  };
}

const TITLE_LENGTH = 200;
const CHANGED =
  "This tool is not what the user agreed to any more, so it was not called. Tell them to look at the connection's changed tools in the settings.";

/** What the model reads about a call that failed; nothing where its own signal ended it. */
function failed(error: unknown, signal: AbortSignal): ToolResult {
  if (signal.aborted || !(error instanceof McpError)) throw error;
  return { ok: false, error: error.message };
}

/** A promise that others wait for too, given up by one of them. */
async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
