import { sendJson, startServer, type Exchange, type Handler, type Simulator } from "../simulator.ts";
import type { Bridge } from "./bridge.ts";
import { openEverything } from "./everything.ts";
import { openHostile } from "./hostile.ts";
import { openVaults } from "./vault.ts";
import { answerLocked, answerModern } from "./own-servers.ts";
import { defineService } from "../definition.ts";

export type McpOptions = { port?: number };

const METHODS = ["POST", "GET", "DELETE"];

function at(path: string, handle: (exchange: Exchange) => Promise<void> | void): Record<string, Handler> {
  return Object.fromEntries(METHODS.map((method) => [`${method} ${path}`, handle]));
}

/** Starts MCP servers of several kinds: the reference server, one behind a bridge, one of today's generation, one with a key. */
export async function startMcp({ port = 0 }: McpOptions = {}): Promise<Simulator> {
  const everything = openEverything();
  let bridge: Bridge | null = null;
  const vault = openVaults();
  const hostile = openHostile();
  const server = await startServer({
    name: "mcp",
    port,
    routes: {
      ...at("/everything/mcp", (exchange) => everything.handle(exchange)),
      ...at("/browser/mcp", async (exchange) => {
        // What it takes is loaded with the first request to it.
        const { openBridge } = await import("./bridge.ts");
        bridge ??= openBridge();
        await bridge.handle(exchange);
      }),
      ...at("/weather/mcp", answerModern),
      ...at("/notes/mcp", answerLocked),
      ...vault.routes,
      // Of the first generation: events, and another address for messages.
      "GET /old/sse": ({ response }) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write("event: endpoint\ndata: /old/messages?session=1\n\n");
      },
      "POST /old/sse": ({ response }) => sendJson(response, 405, { error: "Method not allowed" }),
    },
    fallback: (exchange) =>
      exchange.record.path.startsWith("/hostile/") ? hostile.answer(exchange) : sendJson(exchange.response, 404, { error: "Nothing here" }),
    control: {
      ...hostile.control,
      ...vault.control,
      "POST /control/restart": async ({ response }) => {
        await everything.stop();
        sendJson(response, 200, {});
      },
    },
  });
  return {
    ...server,
    async close() {
      await Promise.all([everything.stop(), bridge?.stop()]);
      await server.close();
    },
  };
}

/** Servers of the Model Context Protocol, which people connect by their addresses: no variable leads to them. */
export const mcp = defineService({
  start: startMcp,
  vars: () => ({}),
  realWith: [],
  row: {
    title: "MCP servers",
    simulated: (url) => `to connect in the settings: ${url}/everything/mcp and ${url}/weather/mcp`,
    real: () => "",
    makeReal: "any server's URL in the settings",
  },
});
