import * as z from "zod/mini";
import type { Tool } from "#worker/conversation/tools/tool.ts";
import { findTool } from "#worker/conversation/turn/toolbox.ts";

/** `sendEmail` as `Send email`. */
export function toolName(tool: string): string {
  const spaced = tool
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_.:/-]+/g, " ")
    .toLowerCase()
    .trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** A call's input in the order of the tool's own parameters, receivers first: what one field says cannot then pass for a field above it. */
export function fieldsOf(tools: readonly Tool[], { tool, input }: { tool: string; input: unknown }): { label: string; value: string }[] {
  if (typeof input !== "object" || input === null) return [{ label: "Input", value: String(input) }];
  const given = Object.entries(input);
  const known = findTool(tools, tool)?.input;
  const parameters = known instanceof z.ZodMiniObject ? Object.keys(known.shape) : null;
  const fields = parameters ? parameters.flatMap((name) => given.filter(([one]) => one === name)) : given;
  return fields.map(([name, value]: [string, unknown]) => ({ label: toolName(name), value: shownValue(value) }));
}

function shownValue(value: unknown): string {
  if (typeof value === "string") return value;
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isList ? value.join(", ") : JSON.stringify(value, null, 2);
}
