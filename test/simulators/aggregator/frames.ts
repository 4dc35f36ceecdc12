import type { StreamFault } from "./faults.ts";
import type { WireModel } from "./models/build-model.ts";
import type { Plan } from "./plan.ts";
import { closingFragment, reasoningFragment } from "./reasoning.ts";
import type { ReasoningDetail } from "./request.ts";
import { besideChoices, shapeDelta, usageChunk } from "./shapes.ts";
import { splitIntoTokens } from "./tokens.ts";

/** Who answers, as every chunk says it. */
export type Identity = { id: string; created: number; model: WireModel; provider: string };

/** What has been sent so far, and is billed. */
export type Progress = { text: string; reasoning: string; details: ReasoningDetail[]; completion: number; reasoningTokens: number };

/** One step of a stream: text to send (`paced`: it counts as a token), or how it breaks off. */
export type Step = { text: string; paced: boolean } | { breakOff: "cut" | "hang" | "end" };

export type FrameOptions = {
  plan: Plan;
  identity: Identity;
  fault: StreamFault | null;
  excludeReasoning: boolean;
  echo: unknown;
  usage: () => object;
  /** Whether the request asked for the usage, which some servers wait for. */
  isUsageAsked: boolean;
  progress: Progress;
};

/** Characters of two bytes each, to distinguish a limit in bytes from one in characters. */
const ENDLESS_CHUNK = "ä".repeat(16_384);

/** None of them says anything that can be read. */
const ODD_CHUNKS = [
  "null",
  "{}",
  "[1]",
  "still working",
  '{"choices":"none","usage":"none","model":7}',
  '{"choices":[{"delta":{"content":{"text":7},"reasoning":[],"tool_calls":"none","annotations":{}},"finish_reason":7}],"usage":{"cost":"free"}}',
];

const BREAKS_AFTER_TOKENS = 12;

/** A finish reason in the vendor's own words. */
export function nativeFinish(modelId: string, finish: string): string {
  if (modelId.startsWith("anthropic/")) return { stop: "end_turn", tool_calls: "tool_use", length: "max_tokens" }[finish] ?? finish;
  if (modelId.startsWith("openai/")) return { stop: "completed", tool_calls: "completed", length: "max_output_tokens" }[finish] ?? finish;
  return finish;
}

/** The error chunk of a failure in mid-stream. */
export function midStreamError(fault: StreamFault): unknown {
  return fault === "error-mid-stream-string-code"
    ? { code: "server_error", message: "Provider disconnected unexpectedly" }
    : { code: 429, message: "Rate limit exceeded", metadata: { error_type: "rate_limit_exceeded", provider_code: "rate_limited" } };
}

/** The plan's sources as the wire's annotations. */
export function annotationsOf({ cites }: Plan): unknown[] {
  return cites.map(({ url, title }) => ({ type: "url_citation", url_citation: { url, title, content: "", start_index: 0, end_index: 0 } }));
}

/** The events of a streamed answer, in order; pulled lazily, at the pace of writing. */
export function* frames({ plan, identity, fault, excludeReasoning, echo, usage, isUsageAsked, progress }: FrameOptions): Generator<Step> {
  const { model } = identity;
  const head = {
    id: identity.id,
    object: "chat.completion.chunk",
    created: identity.created,
    model: model.id,
    provider: identity.provider,
  };
  const prefix = `${JSON.stringify(head).slice(0, -1)},${besideChoices(fault, plan)}`;
  const event = (rest: string): string => `data: ${prefix}${rest}}\n\n`;
  const delta = (value: Record<string, unknown>): string =>
    event(`"choices":[{"index":0,"delta":${JSON.stringify(shapeDelta(fault, value))},"finish_reason":null,"native_finish_reason":null}]`);

  if (echo !== undefined) yield { text: event(`"choices":[],"debug":${JSON.stringify({ echo_upstream_body: echo })}`), paced: false };
  yield { text: delta({ role: "assistant", content: "" }), paced: false };

  for (const textDelta of plan.reasoning) {
    const fragment = reasoningFragment(model.id, textDelta);
    progress.details.push(fragment);
    progress.reasoning += textDelta;
    progress.completion += 1;
    progress.reasoningTokens += 1;
    yield { text: excludeReasoning ? "" : delta({ content: "", reasoning: textDelta, reasoning_details: [fragment] }), paced: true };
  }
  const closing = plan.reasoning.length > 0 ? closingFragment(model.id, progress.reasoning) : null;
  if (closing) {
    progress.details.push(closing);
    if (!excludeReasoning) yield { text: delta({ content: "", reasoning: null, reasoning_details: [closing] }), paced: false };
  }

  const breaksAfter = Math.min(BREAKS_AFTER_TOKENS, Math.ceil(plan.contentCount / 2));
  // `writeStream` takes no more of it once the reader has left.
  if (fault === "endless") {
    for (;;) {
      progress.text += ENDLESS_CHUNK;
      progress.completion += ENDLESS_CHUNK.length / 4;
      yield { text: delta({ content: ENDLESS_CHUNK }), paced: false };
    }
  }
  let count = 0;
  for (const textDelta of fault === "empty" ? [] : plan.content) {
    if (count === breaksAfter) {
      yield* breakHere(fault, event);
      if (endsText(fault)) break;
    }
    count += 1;
    progress.text += textDelta;
    progress.completion += 1;
    yield { text: delta({ content: textDelta }), paced: true };
  }
  if (count === plan.contentCount && count <= breaksAfter) yield* breakHere(fault, event);

  if (fault !== "empty" && !endsText(fault)) {
    for (const step of callFrames(plan, fault)) {
      progress.completion += 1;
      yield { text: delta({ tool_calls: step }), paced: true };
    }
  }
  if (plan.cites.length > 0 && fault !== "citations-beside")
    yield { text: delta({ content: "", annotations: annotationsOf(plan) }), paced: false };
  const finish = fault === "length" ? "length" : fault === "content-filter" ? "content_filter" : plan.finish;
  const native = nativeFinish(model.id, finish);
  const ending = `"choices":[{"index":0,"delta":{"content":""},"finish_reason":${JSON.stringify(finish)},"native_finish_reason":${JSON.stringify(native)}}]`;
  const ownUsage = usageChunk(fault, { usage, isAskedFor: isUsageAsked });
  if (fault === "usage-on-choice") yield { text: event(`${ending},"usage":${JSON.stringify(usage())}`), paced: false };
  else if (fault !== "no-finish" && fault !== "no-end") yield { text: event(ending), paced: false };
  if (ownUsage !== null) yield { text: fault === "no-end" ? event(ownUsage).trimEnd() : event(ownUsage), paced: false };
  if (fault === "linger") yield { text: "", paced: true };
  if (fault !== "no-done" && fault !== "no-end") yield { text: "data: [DONE]\n\n", paced: false };
  if (fault === "linger") yield { breakOff: "hang" };
}

function* breakHere(fault: StreamFault | null, event: (rest: string) => string): Generator<Step> {
  if (fault === "cut") yield { breakOff: "cut" };
  else if (fault === "hang-mid-stream") yield { breakOff: "hang" };
  else if (fault === "malformed-json")
    yield { text: 'data: {"id":"gen-broken","choices":[{"index":0,"delta":{"content":"un\n\n', paced: false };
  else if (fault === "odd-chunks") {
    for (const odd of ODD_CHUNKS) yield { text: `data: ${odd}\n\n`, paced: false };
  } else if (fault === "error-mid-stream" || fault === "error-mid-stream-string-code") {
    yield {
      text: event(
        `"error":${JSON.stringify(midStreamError(fault))},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]`,
      ),
      paced: false,
    };
    yield { breakOff: "end" };
  }
}

function endsText(fault: StreamFault | null): boolean {
  return fault === "length" || fault === "content-filter";
}

/** Tool calls as fragments, those of parallel calls in turns. */
function* callFrames(plan: Plan, fault: StreamFault | null): Generator<unknown[]> {
  if (fault === "tool-call-whole" || fault === "tool-call-no-index") {
    for (const [index, { id, name, arguments: text }] of plan.calls.entries()) {
      yield [{ ...(fault === "tool-call-whole" ? { index } : {}), id, type: "function", function: { name, arguments: text } }];
    }
    return;
  }
  for (const [index, { id, name }] of plan.calls.entries()) yield [{ index, id, type: "function", function: { name, arguments: "" } }];
  const argumentTokens = plan.calls.map((call) => splitIntoTokens(call.arguments));
  const longest = Math.max(0, ...argumentTokens.map((list) => list.length));
  for (let place = 0; place < longest; place += 1) {
    for (const [index, list] of argumentTokens.entries()) {
      const argumentPart = list[place];
      if (argumentPart !== undefined) yield [{ index, function: { arguments: argumentPart } }];
    }
  }
}
