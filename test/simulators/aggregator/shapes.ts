/** How other servers than OpenRouter write the same stream, as recordings show it. */
import type { StreamFault } from "./faults.ts";
import type { Plan } from "./plan.ts";

type Delta = { content?: string | null; reasoning?: string | null; reasoning_details?: unknown[] } & Record<string, unknown>;

/** A delta as a server of this kind writes it: its reasoning under another name or not by itself, its text as a list of parts. */
export function shapeDelta(fault: StreamFault | null, delta: Delta): unknown {
  const { content, reasoning, reasoning_details: details, ...rest } = delta;
  if (fault === "reasoning-content") return { ...rest, content: content || null, reasoning_content: reasoning ?? null };
  if (fault === "reasoning-details-only") return { ...rest, content, ...(details && { reasoning_details: details }) };
  if (fault === "content-parts") {
    if (reasoning) return { ...rest, content: [{ type: "thinking", thinking: [{ type: "text", text: reasoning }] }] };
    return { ...rest, content: content ? [{ type: "text", text: content }] : "" };
  }
  return delta;
}

/** What stands beside the choices of every chunk, as JSON without its braces and with a comma at its end. */
export function besideChoices(fault: StreamFault | null, { cites }: Plan): string {
  if (fault !== "citations-beside") return "";
  const citations = cites.map(({ url }) => url);
  return `"citations":${JSON.stringify(citations)},"search_results":${JSON.stringify(cites)},`;
}

/** The usage chunk's own part, as JSON without its braces; null where none is sent. */
export function usageChunk(fault: StreamFault | null, { usage, isAskedFor }: { usage: () => object; isAskedFor: boolean }): string | null {
  if (fault === "no-usage" || fault === "usage-on-choice") return null;
  if (fault === "usage-if-asked" && !isAskedFor) return null;
  if (fault === "usage-x-groq") return `"choices":[],"x_groq":{"id":"req_01","usage":${JSON.stringify({ ...usage(), cost: undefined })}}`;
  if (fault !== "citations-beside") return `"choices":[],"usage":${JSON.stringify(usage())}`;
  return `"choices":[],"usage":${JSON.stringify({ ...usage(), cost: { request_cost: 0.005, total_cost: 0.00511 } })}`;
}
