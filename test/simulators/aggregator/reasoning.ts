import { createHash } from "node:crypto";
import type { Message, ReasoningDetail } from "./request.ts";
import { textOf } from "./request.ts";

type Style = { kind: "reasoning.text" | "reasoning.summary"; seal: "signature" | "encrypted" | null; format: string };

const STYLES: Record<string, Style> = {
  anthropic: { kind: "reasoning.text", seal: "signature", format: "anthropic-claude-v1" },
  openai: { kind: "reasoning.summary", seal: "encrypted", format: "openai-responses-v1" },
  google: { kind: "reasoning.text", seal: "encrypted", format: "google-gemini-v1" },
  "x-ai": { kind: "reasoning.summary", seal: "encrypted", format: "xai-responses-v1" },
};

function styleOf(modelId: string): Style {
  return STYLES[modelId.split("/")[0] ?? ""] ?? { kind: "reasoning.text", seal: null, format: "unknown" };
}

/** What a provider signs its reasoning with, here a hash of the text, so any change shows. */
export function sealReasoning(text: string): string {
  return createHash("sha256").update(`reasoning:${text}`).digest("base64");
}

/** The `reasoning_details` fragment of one streamed fragment. */
export function reasoningFragment(modelId: string, piece: string): ReasoningDetail {
  const { kind, format } = styleOf(modelId);
  return kind === "reasoning.text" ? { type: kind, text: piece, format, index: 0 } : { type: kind, summary: piece, format, index: 0 };
}

/** The fragment that ends a reasoning: a signature, encrypted data, or nothing, by vendor. */
export function closingFragment(modelId: string, text: string): ReasoningDetail | null {
  const { seal, format } = styleOf(modelId);
  if (seal === "signature") return { type: "reasoning.text", signature: sealReasoning(text), format, index: 0 };
  if (seal === "encrypted")
    return { type: "reasoning.encrypted", data: sealReasoning(text), id: `rs_${sealReasoning(text).slice(0, 8)}`, format, index: 0 };
  return null;
}

/** Fragments joined by index and type, in the order they began: what a caller has to send back. */
export function mergeDetails(fragments: readonly ReasoningDetail[]): ReasoningDetail[] {
  const merged = new Map<string, ReasoningDetail>();
  for (const fragment of fragments) {
    const key = `${fragment.index ?? 0}:${fragment.type}`;
    const before = merged.get(key);
    if (!before) merged.set(key, { ...fragment });
    else {
      if (fragment.text) before.text = (before.text ?? "") + fragment.text;
      if (fragment.summary) before.summary = (before.summary ?? "") + fragment.summary;
      if (fragment.signature) before.signature = fragment.signature;
      if (fragment.data) before.data = (before.data ?? "") + fragment.data;
    }
  }
  return [...merged.values()];
}

/** Says which message's signed reasoning was altered, as Anthropic's models refuse it; null when all is well. */
export function findTamperedReasoning(modelId: string, messages: readonly Message[]): string | null {
  if (styleOf(modelId).seal !== "signature") return null;
  for (const [index, message] of messages.entries()) {
    for (const detail of mergeDetails(message.reasoning_details ?? [])) {
      if (detail.signature && detail.format === "anthropic-claude-v1" && detail.signature !== sealReasoning(detail.text ?? "")) {
        return `messages.${index}.content.0: Invalid \`signature\` in \`thinking\` block`;
      }
    }
  }
  return null;
}

/** Remembers the reasoning of the latest 500 answers and compares what comes back. */
export type ReasoningMemory = {
  remember(modelId: string, answer: Message): void;
  /** How many answers of this model came back with their reasoning unmodified, or which one did not. */
  check(modelId: string, messages: readonly Message[]): { unmodified: number } | { problem: string };
};

/** An empty memory. */
export function createReasoningMemory(): ReasoningMemory {
  const issued = new Map<string, string>();
  return {
    remember(modelId, answer) {
      if (!answer.reasoning_details?.length) return;
      issued.set(keyOf(modelId, answer), canonical(answer.reasoning_details));
      const oldest = issued.keys().next();
      if (issued.size > 500 && !oldest.done) issued.delete(oldest.value);
    },
    check(modelId, messages) {
      let unmodified = 0;
      for (const [index, message] of messages.entries()) {
        if (message.role !== "assistant") continue;
        const expected = issued.get(keyOf(modelId, message));
        if (expected === undefined) continue;
        if (!message.reasoning_details?.length) return { problem: `messages.${index}: reasoning_details are missing` };
        if (canonical(message.reasoning_details) !== expected) return { problem: `messages.${index}: reasoning_details were modified` };
        unmodified += 1;
      }
      return { unmodified };
    },
  };
}

function keyOf(modelId: string, message: Message): string {
  const calls = message.tool_calls?.map((call) => call.id) ?? [];
  return JSON.stringify([modelId, calls, calls.length > 0 ? "" : textOf(message)]);
}

function canonical(details: readonly ReasoningDetail[]): string {
  return JSON.stringify(
    mergeDetails(details).map((detail) => [
      detail.type,
      detail.text ?? "",
      detail.summary ?? "",
      detail.data ?? "",
      detail.signature ?? "",
      detail.format ?? "",
    ]),
  );
}
