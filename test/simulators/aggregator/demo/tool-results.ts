import type { Message } from "../request.ts";
import { textOf } from "../request.ts";

function describeResult(name: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return `\`${name}\` answered nothing.`;
  try {
    const value: unknown = JSON.parse(trimmed);
    if (typeof value === "object" && value !== null) {
      const failed =
        "error" in value && typeof value.error === "string" ? `\`${name}\` failed: ${value.error}\n\n` : `\`${name}\` answered:\n\n`;
      return `${failed}\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
    }
  } catch {
    // Not JSON: quoted as text below.
  }
  return `\`${name}\` answered:\n\n${trimmed
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")}`;
}

/** An answer made from the results of the tools called since the last user message. */
export function toolResultsAnswer(sinceUser: readonly Message[]): string {
  const names = new Map(sinceUser.flatMap((message) => message.tool_calls ?? []).map((call) => [call.id, call.function.name]));
  const results = sinceUser.filter((message) => message.role === "tool");
  const described = results.map((message) => describeResult(names.get(message.tool_call_id ?? "") ?? "tool", textOf(message)));
  const opening = results.length === 1 ? "The tool has answered." : `All ${results.length} tools have answered.`;
  return `${opening}\n\n${described.join("\n\n")}`;
}
