/** The turn that whoever deploys asks for, to know that the new version answers: it belongs to no chat, is paid by the house and kept nowhere. */
import type { Context, Hono } from "hono";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { AggregatorError } from "#worker/platform/clients/aggregator-errors.ts";
import { streamCompletion } from "#worker/platform/clients/aggregator.ts";
import type { CompletionUsage } from "#worker/platform/clients/completion-chunks.ts";
import { chargeForGuests } from "#worker/conversation/credits/guest-spending.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { log } from "#worker/platform/log.ts";
import { type SummaryModel, summaryModel } from "#worker/people/models/summary-model.ts";
import { noteEvent } from "#worker/platform/security/note-event.ts";
import { costOf } from "#worker/conversation/turn/cost.ts";

const PATH = "/api/deployment/turn";
const TURNS_PER_HOUR = 30;
/** The answer is one word. */
const ANSWER_TOKENS = 50;
const ANSWER_MS = 60_000;
const QUESTION = "Answer with the one word: ready";

/** Mounts the turn for whoever has the secret of this deployment; without one there is no such address. It is asked by a command, so it stands before the check of the Origin. */
export function deploymentRoutes(app: Hono<AppContext>): void {
  app.post(PATH, async (c) => {
    const { deploymentSecret, version } = configOf(c.env);
    if (deploymentSecret === undefined) throw new AppError("NOT_FOUND");
    await requireSecret(c, deploymentSecret);
    await countOrRefuse(c.env, "deployment-turns", hourly(TURNS_PER_HOUR), "RATE_LIMITED");
    return c.json({ version, ...(await askCheapest(c.env)) }, 200, { "cache-control": "no-store" });
  });
}

async function requireSecret(c: Context<AppContext>, secret: string): Promise<void> {
  const [, shown = ""] = /^Bearer +(\S+) *$/i.exec(c.req.header("authorization") ?? "") ?? [];
  const [given, own] = await Promise.all([shown, secret].map((text) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
  if (given && own && crypto.subtle.timingSafeEqual(given, own)) return;
  noteEvent(c, "wrong-key", null);
  throw new AppError("UNAUTHENTICATED", { message: "This is not the secret of this deployment." });
}

type Progress = { started: { generationId: string | null } | null; usage: CompletionUsage | null; text: string };

/** Asks the model that titles chats, as it is the cheapest, by a stream as every turn does. Throws AGGREGATOR_UNAVAILABLE, which says why. */
async function askCheapest(env: Env): Promise<{ model: string; text: string }> {
  const model = await summaryModel(env);
  if (!model) throw unavailable("The aggregator lists no models.");
  const progress: Progress = { started: null, usage: null, text: "" };
  const request = { model: model.aggregatorId, maxTokens: ANSWER_TOKENS, messages: [{ role: "user" as const, content: QUESTION }] };
  try {
    await streamCompletion(env, request, {
      signal: AbortSignal.timeout(ANSWER_MS),
      onEvent(event) {
        if (event.type === "started") progress.started = event;
        if (event.type === "text") progress.text += event.text;
        if (event.type === "usage") progress.usage = event.usage;
      },
    });
  } catch (cause) {
    if (!(cause instanceof AggregatorError)) throw cause;
    throw unavailable(`The model ${model.aggregatorId} did not answer: ${REASONS[cause.kind] ?? `${cause.kind}.`}`, cause);
  } finally {
    await pay(env, model, progress);
  }
  const text = progress.text.trim();
  if (text === "") throw unavailable(`The model ${model.aggregatorId} answered nothing.`);
  return { model: model.aggregatorId, text };
}

/** What a deployer can fix without another version. */
const REASONS: Partial<Record<AggregatorError["kind"], string>> = {
  unauthenticated: "the aggregator refused OPENROUTER_API_KEY. Mend that and deploy again; going back does not help.",
  out_of_credits: "there is no credit left at the aggregator. Buy some and deploy again; going back does not help.",
};

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("AGGREGATOR_UNAVAILABLE", { message, cause });
}

/** Enters the cost in the house's day. Nothing is reserved for it: a day on which guests took all of the amount is one to deploy on, too. */
async function pay(env: Env, { aggregatorId, ...prices }: SummaryModel, { text, ...came }: Progress): Promise<void> {
  const cost = costOf({ ...came, prompt: QUESTION.length, text: text.length, reasoning: 0 }, { ...prices, fees: null });
  const amountMicros = cost.known ? (cost.micros ?? 0) : cost.estimateMicros;
  const callId = `deployment:${crypto.randomUUID()}`;
  try {
    await chargeForGuests(env, [
      { callId, replyId: callId, chatId: "", what: "reply", modelId: aggregatorId, amountMicros, isHouse: true },
    ]);
  } catch (cause) {
    // The answer is there, and what it cost is a fraction of a cent.
    log.error("a deployment's turn was not charged", { cause });
  }
}
