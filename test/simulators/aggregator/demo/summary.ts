import type { FaultDirective } from "../directives.ts";

/** True when the first system message asks for a summary of a conversation's earlier part. */
export function isSummaryRequest(systemText: string): boolean {
  return /\bearlier part of a conversation\b/i.test(systemText) && /\bsummary\b/i.test(systemText);
}

/** The fault that a summary request's quoted text asks for. */
export function summaryFault(prompt: string): FaultDirective | null {
  return /^> .*cannot be summarised/im.test(prompt) ? { name: "500", times: Infinity } : null;
}

/** A summary of quoted messages: how many there are, and how each of them begins. */
export function summaryAnswer(prompt: string): string {
  const beginnings = prompt.split(/\n{2,}(?=[A-Z][^\n]*:\n> )/).map((text) => {
    const [line = ""] = /(?<=^> ).+/m.exec(text) ?? [];
    return `- ${Array.from(line.replace(/^- /, "")).slice(0, 100).join("")}`;
  });
  return `Summary of ${beginnings.length} parts:\n${beginnings.join("\n")}`;
}
