import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Exchange } from "../simulator.ts";
import { answerByFetch } from "./fetch-style.ts";

/** Serves today's generation of the protocol alone. */
const modern = createMcpHandler(
  () => {
    const server = new McpServer({ name: "weather", version: "1.0.0" });
    const place = z.object({ place: z.string() });
    server.registerTool(
      "get_weather",
      { description: "Tells the weather of a place", inputSchema: place, annotations: { readOnlyHint: true } },
      async ({ place: asked }) => ({ content: [{ type: "text", text: `It is sunny in ${asked}.` }] }),
    );
    server.registerTool(
      "set.alarm",
      { description: "Rings when the weather of a place changes", inputSchema: place },
      async ({ place: asked }) => ({ content: [{ type: "text", text: `An alarm is set for ${asked}.` }] }),
    );
    return server;
  },
  { legacy: "reject" },
);

/** Serves both generations, to whoever has the key. */
const locked = createMcpHandler(() => {
  const server = new McpServer({ name: "notes", version: "1.0.0" });
  server.registerTool("list_notes", { description: "Lists notes", annotations: { readOnlyHint: true } }, async () => ({
    content: [{ type: "text", text: "Milk, bread, stamps" }],
  }));
  return server;
});

const KEY = "notes-key";

/** A server of today's generation alone. */
export function answerModern(exchange: Exchange): Promise<void> {
  return answerByFetch(exchange, (request) => modern.fetch(request));
}

/** A server that wants the key `notes-key`, as a bearer token or in `X-Notes-Key`. */
export async function answerLocked(exchange: Exchange): Promise<void> {
  const { authorization, "x-notes-key": key } = exchange.request.headers;
  if (authorization === `Bearer ${KEY}` || key === KEY) return answerByFetch(exchange, (request) => locked.fetch(request));
  exchange.response.writeHead(401, { "www-authenticate": "Bearer" });
  exchange.response.end();
}
