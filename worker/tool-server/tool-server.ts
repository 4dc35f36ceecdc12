import { McpServer } from "@modelcontextprotocol/server";
import { APP_NAME } from "#shared/app.ts";
import type { ApiScope } from "#shared/entities/library/api-key.ts";
import type { ToolDeps } from "./own-api.ts";
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
export function createToolServer(deps: ToolDeps): McpServer {
  const server = new McpServer({ name: "polylogue", title: APP_NAME, version: VERSION }, { instructions: INSTRUCTIONS });
  for (const scope of deps.scopes) ADD[scope]?.(server, deps);
  return server;
}
