/** What providers keep of prompts: marked ones by Anthropic and Alibaba, all long ones by most others. */
import { createHash } from "node:crypto";
import type { WireModel } from "./models/build-model.ts";
import type { ChatRequest } from "./request.ts";
import { type ErrorAnswer, invalidRequest } from "./status-faults.ts";

/** Tokens of a prompt that were read from the cache, and that were written to it. */
export type CacheUse = { cached: number; written: number; writtenForHour: number };

const MINUTE_MS = 60_000;
/** Vendors look back so many blocks from a mark. */
const LOOKBACK = 20;
const MARKS_MAX = 4;

type Mark = { life: number };
/** A piece of a prompt: `hash` is of all up to its end, `tokens` too. */
type Block = { hash: string; tokens: number; mark: Mark | null };
type Kept = { until: number; life: number };

export type PromptCache = {
  /** Finds what of a prompt is kept, and keeps it; `tokens` is the size of all of it. */
  use(request: ChatRequest, model: WireModel, place: { account: string; tokens: number }): CacheUse;
};

/** An empty cache. */
export function createPromptCache(now: () => number = Date.now): PromptCache {
  const kept = new Map<string, Kept>();

  /** A prefix is one account's with one model; whoever sends a prompt anew within its life keeps it longer. */
  function find(key: string): boolean {
    const entry = kept.get(key);
    if (!entry || entry.until < now()) return false;
    entry.until = now() + entry.life;
    return true;
  }

  function keep(key: string, life: number): void {
    kept.set(key, { until: now() + life, life });
    const oldest = kept.keys().next();
    if (kept.size > 50_000 && !oldest.done) kept.delete(oldest.value);
  }

  return {
    use(request, model, { account, tokens }) {
      const minimum = smallestPrompt(model.id);
      const none = { cached: 0, written: 0, writtenForHour: 0 };
      if (minimum === null) return none;
      const blocks = blocksOf(request, tokens);
      const keyOf = ({ hash }: Block) => `${account} ${model.id} ${hash}`;
      if (!isExplicit(model.id)) {
        const cached = blocks.findLast((block) => block.tokens >= minimum && find(keyOf(block)))?.tokens ?? 0;
        for (const block of blocks) if (block.tokens >= minimum) keep(keyOf(block), 10 * MINUTE_MS);
        const isWritePaid = model.pricing.input_cache_write !== undefined;
        return { ...none, cached, written: isWritePaid && tokens >= minimum ? tokens - cached : 0 };
      }
      const marks = blocks.flatMap((block, at) => (block.mark !== null && block.tokens >= minimum ? [at] : []));
      const last = marks.at(-1);
      if (last === undefined) return none;
      const isNear = (at: number) => marks.some((mark) => at <= mark && mark - at < LOOKBACK);
      const cached = blocks.findLast((block, at) => isNear(at) && block.tokens >= minimum && find(keyOf(block)))?.tokens ?? 0;
      const ends = marks.map((at) => blocks[at]).filter((block) => block !== undefined);
      for (const block of ends) keep(keyOf(block), block.mark?.life ?? 0);
      const written = Math.max(0, (ends.at(-1)?.tokens ?? 0) - cached);
      const isForHour = ends.at(-1)?.mark?.life === 60 * MINUTE_MS;
      return isForHour ? { cached, written: 0, writtenForHour: written } : { cached, written, writtenForHour: 0 };
    },
  };
}

/** Why a prompt's marks are refused; null where they are not. */
export function refuseMarks(request: ChatRequest, model: WireModel): ErrorAnswer | null {
  if (!isExplicit(model.id)) return null;
  const count = blocksOf(request, 1).filter(({ mark }) => mark !== null).length;
  if (count <= MARKS_MAX) return null;
  const message = `A maximum of ${MARKS_MAX} blocks with cache_control may be provided. Found ${count}.`;
  const raw = JSON.stringify({ type: "error", error: { type: "invalid_request_error", message } });
  const { status } = invalidRequest(message);
  return {
    status,
    body: { error: { code: status, message: "Provider returned error", metadata: { provider_name: "Anthropic", is_byok: false, raw } } },
  };
}

function isExplicit(modelId: string): boolean {
  return /^(anthropic|qwen)\//.test(modelId);
}

/** From how many tokens on a provider keeps a prompt; null for one that keeps none. */
function smallestPrompt(modelId: string): number | null {
  const [maker = ""] = modelId.split("/");
  switch (maker) {
    case "anthropic":
      return /haiku-4\.5|opus-4\.[56]/.test(modelId) ? 4_096 : 1_024;
    case "google":
      return modelId.includes("gemini-3") ? 4_096 : 2_048;
    case "deepseek":
      return 64;
    case "openai":
    case "qwen":
    case "x-ai":
    case "moonshotai":
      return 1_024;
    default:
      return null;
  }
}

/** A prompt in the order in which providers read it: tools, then messages by their parts. Its tokens are shared out by length. */
function blocksOf(request: ChatRequest, tokens: number): Block[] {
  const texts: { text: string; mark: Mark | null }[] = [];
  for (const tool of request.tools ?? []) texts.push(toText(tool));
  for (const { content, ...rest } of request.messages) {
    const { reasoning: _reasoning, ...head } = rest;
    texts.push({ text: JSON.stringify(head), mark: null });
    // A text and a list with that one text are the same to whoever reads them, and not the same to a cache.
    if (typeof content === "string") texts.push({ text: JSON.stringify(content), mark: null });
    else for (const part of content ?? []) texts.push(toText(part));
  }
  const total = texts.reduce((sum, { text }) => sum + text.length, 0) || 1;
  const hash = createHash("sha256");
  let length = 0;
  return texts.map(({ text, mark }) => {
    length += text.length;
    hash.update(text).update("\0");
    return { hash: hash.copy().digest("hex"), tokens: Math.floor((length / total) * tokens), mark };
  });
}

function toText(block: Record<string, unknown>): { text: string; mark: Mark | null } {
  const { cache_control: control, ...rest } = block;
  const isForHour = JSON.stringify(control)?.includes('"1h"') ?? false;
  return { text: JSON.stringify(rest), mark: control === undefined ? null : { life: (isForHour ? 60 : 5) * MINUTE_MS } };
}
