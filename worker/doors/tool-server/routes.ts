import type { Context, Hono } from "hono";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { keyHolderOf } from "#worker/people/api-keys/holder-of.ts";
import type { AppContext, Env } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { createOwnApi, type ToolDeps } from "./own-api.ts";
import { McpServer } from "@modelcontextprotocol/server";
import { APP_NAME } from "#shared/app.ts";
import type { ApiScope } from "#shared/entities/library/api-key.ts";
import { addArtifactTools } from "./tools/artifacts.ts";
import { addAskTool } from "./tools/ask.ts";
import { addChatTools } from "./tools/chats.ts";
import { addMemoryTool } from "./tools/memory.ts";
import { addPromptTools } from "./tools/prompts.ts";

const VERSION = "1.0.0";
const INSTRUCTIONS = `${APP_NAME} holds its user's chats with many models, their artifacts (documents), prompts and memory. Search before you read; ask to have a model answer in a chat, where the user sees the exchange.`;

const ADD: Partial<Record<ApiScope, (server: McpServer, deps: ToolDeps) => void>> = {
  chats: addChatTools,
  ask: addAskTool,
  artifacts: addArtifactTools,
  prompts: addPromptTools,
  memory: addMemoryTool,
};

/** A server for one request, with the tools that its key allows. */
function createToolServer(deps: ToolDeps): McpServer {
  const server = new McpServer({ name: "polylogue", title: APP_NAME, version: VERSION }, { instructions: INSTRUCTIONS });
  for (const scope of deps.scopes) ADD[scope]?.(server, deps);
  return server;
}

/** A key's requests in an hour. */
const REQUESTS_PER_HOUR = 2_000;
/** A question is 100,000 characters at most. */
const BODY_BYTES = 1_000_000;

/** By its name, so that the rest of the package is no part of the Worker. */
const protocol = loadOnce(async () => {
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  return { createMcpHandler };
});

type Send = (request: Request, env: Env, context: Context<AppContext>["executionCtx"]) => Promise<Response> | Response;

/** Mounts this product as an MCP server for programs that come with a key; `send` asks the product's own API. */
export function toolServerRoutes(send: Send): (app: Hono<AppContext>) => void {
  return (app) => {
    app.all("/mcp", async (c) => {
      // A page of another site must not use a program that listens here in its visitor's name.
      const origin = c.req.header("origin");
      if (origin !== undefined && origin !== ownOrigin(c) && origin !== new URL(c.req.url).origin) throw new AppError("FOREIGN_ORIGIN");
      const holder = await keyHolderOf(c);
      if (holder === null) return unauthorized(c);
      const { caller, keyId, scopes } = holder;
      await countOrRefuse(c.env, `mcp:${keyId}`, hourly(REQUESTS_PER_HOUR), "RATE_LIMITED");
      const api = createOwnApi({
        caller,
        origin: new URL(c.req.url).origin,
        network: c.req.header("cf-connecting-ip") ?? "local",
        send: (request) => send(request, c.env, c.executionCtx),
      });
      const { createMcpHandler } = await protocol();
      const publicOrigin = ownOrigin(c);
      return createMcpHandler(() => createToolServer({ api, scopes, keyId, origin: publicOrigin }), {
        maxRequestBodySize: BODY_BYTES,
      }).fetch(c.req.raw);
    });
  };
}

function unauthorized(c: Context<AppContext>): Response {
  const hasKey = c.req.header("authorization") !== undefined;
  const challenge = `Bearer realm="${new URL(ownOrigin(c)).host}"${hasKey ? ', error="invalid_token"' : ""}`;
  const error = "A key is needed: make one in Settings > General > API keys and send it as a bearer token.";
  return c.json({ error, code: "UNAUTHENTICATED" }, 401, { "www-authenticate": challenge });
}
