import type { Complete } from "#worker/platform/clients/aggregator.ts";
import { AggregatorError } from "#worker/platform/clients/aggregator-errors.ts";
import type { CompletionEvent } from "#worker/platform/clients/completion-chunks.ts";
import type { ReasoningDetail } from "#worker/platform/clients/prompt.ts";

/** Bytes of text, reasoning and what else is stored with them: a row takes 2 MB, and one answer is one row. */
const ANSWER_BYTES = 1_500_000;

/** Characters that are kept of an answer that could not be stored whole. */
export const TRUNCATED_ANSWER_LENGTH = 100_000;

const encoder = new TextEncoder();

/** Reads no more of a reply than is stored: throws `AggregatorError` of the kind `endless` once a model goes beyond that, and before it is asked where `shown` leaves no room. */
export function boundAnswer(complete: Complete, shown: () => { text: string; reasoning: string }): Complete {
  return async function bounded(request, { signal, onEvent }) {
    const { text, reasoning } = shown();
    let left = ANSWER_BYTES - bytesOf(text) - bytesOf(reasoning);
    if (left <= 0) throw new AggregatorError({ kind: "endless" });
    await complete(request, {
      signal,
      onEvent(event) {
        left -= sizeOf(event);
        if (left < 0) throw new AggregatorError({ kind: "endless" });
        onEvent(event);
      },
    });
  };
}

function sizeOf(event: CompletionEvent): number {
  switch (event.type) {
    case "text":
    case "reasoning":
      return bytesOf(event.text);
    case "reasoning_details":
      return event.details.reduce((sum, detail) => sum + detailSize(detail), 0);
    case "tool_calls":
    case "citation":
      return bytesOf(JSON.stringify(event));
    default:
      return 0;
  }
}

/** A fragment of a detail that has begun adds its text alone (reasoning-details.ts). */
function detailSize(detail: ReasoningDetail): number {
  if (detail["index"] === undefined) return bytesOf(JSON.stringify(detail));
  return [detail["text"], detail["summary"], detail["data"]].reduce<number>(
    (sum, piece) => sum + (typeof piece === "string" ? bytesOf(piece) : 0),
    0,
  );
}

function bytesOf(text: string): number {
  return encoder.encode(text).byteLength;
}
