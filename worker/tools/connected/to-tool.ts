import * as z from "zod/mini";
import type { Tool } from "../tool.ts";
import type { ConnectedTool } from "./connected-tool.ts";

/** Milliseconds that a call may take: what a session allows, and connecting. */
const TIMEOUT_MS = 330_000;

const Input = z.record(z.string(), z.unknown());

/** What runs a connected tool. Whatever its server answers is others' text. */
export function toTool(connected: ConnectedTool): Tool<typeof Input> {
  const { id, connection, name, description, schema, isQuiet } = connected;
  return {
    id,
    // Servers have tools of the same name, and a model has to know whose it calls.
    description: `${description || name} (A tool of ${JSON.stringify(connection)}, which the user connected.)`,
    input: Input,
    schema,
    source: "mcp",
    dollars: 0,
    actsOutside: !isQuiet,
    readsOutside: true,
    isForAccounts: true,
    timeoutMs: TIMEOUT_MS,
    run: async (input, context) => (await context.connections()).call(connected, input, context),
  };
}
