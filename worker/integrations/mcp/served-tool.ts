import * as z from "zod/mini";
import { connectionCategory } from "#shared/tools/connected-tools.ts";
import type { NamedTool } from "#worker/platform/clients/mcp/session.ts";
import { toWireName } from "#worker/conversation/tools/wire-names.ts";

/** A tool as a server named it, cut to what a turn can carry. */
export const ServedTool = z.object({
  name: z.string(),
  title: z.nullable(z.string()),
  description: z.string(),
  schema: z.record(z.string(), z.unknown()),
  /** What its server says of it: nobody has to believe that. */
  saysReadOnly: z.boolean(),
});
export type ServedTool = z.infer<typeof ServedTool>;

/** Tools of one server that are taken, and what of one: all of it goes along with every message. */
const TOOLS_MAX = 100;
const DESCRIPTION_LENGTH = 2_000;
const TITLE_LENGTH = 100;
const SCHEMA_LENGTH = 16_000;
/** Bytes of all tools of a server, and of all that one turn carries: they are stored as one value, which may have 2 MB. */
const LIST_BYTES = 400_000;

/** A server's list as it is kept: a name that comes twice stands once, what has no end is cut, and a schema that is too long leaves its tool out. */
export function toServedTools(named: readonly NamedTool[]): ServedTool[] {
  const taken = new Map<string, ServedTool>();
  for (const { name, title, description = "", inputSchema, annotations } of named) {
    const { $schema: _draft, ...schema } = inputSchema;
    if (taken.has(name) || taken.size >= TOOLS_MAX || JSON.stringify(schema).length > SCHEMA_LENGTH) continue;
    taken.set(name, {
      name,
      title: plain(title ?? annotations?.title ?? "").slice(0, TITLE_LENGTH) || null,
      description: plain(description).slice(0, DESCRIPTION_LENGTH),
      schema: { properties: {}, ...schema },
      saysReadOnly: annotations?.readOnlyHint === true,
    });
  }
  return withinBytes([...taken.values()]);
}

/** The first tools of a list that can be stored and carried together. */
export function withinBytes<T>(tools: readonly T[]): T[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  return tools.filter((tool) => {
    bytes += encoder.encode(JSON.stringify(tool)).byteLength;
    return bytes <= LIST_BYTES;
  });
}

/** Text without characters that hide or turn around what is read of it. */
function plain(text: string): string {
  return text.replaceAll(/[^\P{C}\n\t]/gu, "").trim();
}

export function parseTools(json: string): ServedTool[] {
  return z.array(ServedTool).parse(JSON.parse(json));
}

/** A tool's id among all: no server can name one to pass for another's. */
export function connectedToolId(connectionId: string, name: string): string {
  return toWireName(`${connectionCategory(connectionId)}_${name}`);
}
