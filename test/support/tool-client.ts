import { Client as ToolClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as z from "zod/mini";
import { ORIGIN, visit } from "./worker.ts";

/** A program that speaks the protocol, of the newer generation by default. */
export async function connect(secret: string, mode: "auto" | "legacy" = "auto"): Promise<ToolClient> {
  const client = new ToolClient({ name: "test", version: "1.0.0" }, { capabilities: {}, versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", ORIGIN), {
    requestInit: { headers: { authorization: `Bearer ${secret}` } },
    fetch: (url, init) => visit(new URL(url).pathname, init),
  });
  await client.connect(transport);
  return client;
}

export const Texts = z.object({ content: z.array(z.object({ text: z.string() })), isError: z.optional(z.boolean()) });

/** Calls a tool of the server. */
export async function callServerTool(client: ToolClient, name: string, input: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: input });
  const { content, isError = false } = Texts.parse(result);
  return { text: content.map(({ text }) => text).join("\n"), isError, data: result.structuredContent };
}
