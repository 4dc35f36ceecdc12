import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { isInitializeRequest } from "@modelcontextprotocol/sdk/types.js";
import { findBrowser } from "../../../scripts/lib/browser.ts";
import { sendJson, type Exchange } from "../simulator.ts";

/** A server that speaks by its standard input and output alone, reached by HTTP: each session is a process of its own. */
export type Bridge = {
  handle(exchange: Exchange): Promise<void>;
  /** Ends all sessions. */
  stop(): Promise<void>;
};

type Session = { http: StreamableHTTPServerTransport; close(): Promise<void> };

const PLAYWRIGHT = join(dirname(createRequire(import.meta.url).resolve("playwright/package.json")), "cli.js");

/** Bridges Playwright's own MCP server, which drives a browser and knows nothing of HTTP here. */
export function openBridge(): Bridge {
  const sessions = new Map<string, Session>();

  async function begin(): Promise<Session> {
    const folder = await mkdtemp(join(tmpdir(), "browser-mcp-"));
    const child = new StdioClientTransport({
      command: process.execPath,
      args: [
        PLAYWRIGHT,
        "mcp",
        "--headless",
        "--isolated",
        "--no-sandbox",
        "--output-dir",
        folder,
        "--executable-path",
        await findBrowser(),
      ],
      env: { PATH: process.env["PATH"] ?? "", HOME: folder, NODE_NO_WARNINGS: "1" },
      cwd: folder,
      stderr: "ignore",
    });
    const http = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: () => session.close(),
    });
    const session: Session = {
      http,
      async close() {
        sessions.delete(http.sessionId ?? "");
        await child.close();
        await http.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
    http.onmessage = (message) => void child.send(message);
    // What it says after its client went away nobody reads.
    child.onmessage = (message) => void http.send(message).catch(() => undefined);
    await child.start();
    return session;
  }

  return {
    async handle({ request, response, body }) {
      const id = request.headers["mcp-session-id"];
      const known = typeof id === "string" ? sessions.get(id) : undefined;
      if (typeof id === "string" && !known) return sendJson(response, 404, { error: "There is no such session." });
      const parsed: unknown = body.length === 0 ? undefined : JSON.parse(body.toString());
      // A client of the newer generation first asks for what its own kind knows.
      if (!known && !isInitializeRequest(parsed)) return sendJson(response, 400, { error: "A session is needed." });
      const { http } = known ?? (await begin());
      await http.handleRequest(request, response, parsed);
    },
    async stop() {
      await Promise.all([...sessions.values()].map((session) => session.close()));
    },
  };
}
