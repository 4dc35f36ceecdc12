import type { Context, Hono } from "hono";
import { cors } from "hono/cors";
import type { Model as ModelOfOpenAI } from "openai/resources/models";
import type { Model } from "#shared/entities/model.ts";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { COMPLETIONS_PER_HOUR } from "#shared/limits.ts";
import { isAllowed } from "#shared/models/allowlist.ts";
import { PLANS } from "#shared/plans.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { keyHolderOf } from "#worker/people/api-keys/holder-of.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { type AppContext, type Caller, configOf, type ModelSettings } from "#worker/platform/env.ts";
import { maxBodyBytes, readJson } from "#worker/platform/http/read-json.ts";
import { reserveMemory } from "#worker/platform/http/body-memory.ts";
import { countOrRefuse, hourly, minutely } from "#worker/platform/http/rate-limit.ts";
import { modelSettings } from "#worker/people/models/allowlist.ts";
import { loadCatalogue, modelsFor } from "#worker/people/models/catalogue.ts";
import { noteRefusal } from "#worker/platform/security/note-event.ts";
import { completeFor } from "./complete.ts";
import { toFailure } from "./errors.ts";
import { parseCompletion } from "./request.ts";

/** Characters of a request at most: a long conversation with some pictures in it. */
const BODY_LENGTH = 6_000_000;

/** Mounts OpenAI's `/v1/models` and `/v1/chat/completions` for programs that come with a key; nothing of them is kept but the cost. */
export function completionRoutes(app: Hono<AppContext>): void {
  // A key stands in a header, never in a cookie: a page of any origin may ask with one that it was given.
  app.use("/v1/*", cors({ origin: "*", allowMethods: ["GET", "POST"], exposeHeaders: ["x-request-id", "retry-after"], maxAge: 86_400 }));

  app.get("/v1/models", (c) =>
    answer(c, async (asker) => c.json({ object: "list", data: (await modelsOf(c, asker)).map((model) => describe(model)) })),
  );

  app.get("/v1/models/:id{.+}", (c) =>
    answer(c, async (asker) => {
      const model = (await modelsOf(c, asker)).find(({ id }) => id === c.req.param("id"));
      if (!model) throw new AppError("MODEL_NOT_FOUND", { message: `Model ${c.req.param("id")} not found` });
      return c.json(describe(model));
    }),
  );

  app.post("/v1/chat/completions", (c) =>
    answer(c, async ({ caller, keyId, settings, requestId }) => {
      const { turnsPerMinute } = configOf(c.env).limits;
      // Each key's own: neither its owner's chats nor their other programs take any of it.
      if (turnsPerMinute > 0) await countOrRefuse(c.env, `v1-minute:${keyId}`, minutely(turnsPerMinute), "RATE_LIMITED");
      const busy = (): AppError => new AppError("RATE_LIMITED", { headers: { "retry-after": "5" } });
      const leave = await reserveMemory(maxBodyBytes(c.req.raw, BODY_LENGTH), busy);
      const body = await readJson(c.req.raw, BODY_LENGTH).then(parseCompletion).finally(leave);
      return completeFor({ env: c.env, caller, settings, body, requestId, waitUntil: (work) => c.executionCtx.waitUntil(work) });
    }),
  );

  app.all("/v1/*", (c) =>
    answer(c, async () => {
      throw new AppError("NOT_FOUND", { message: `${c.req.method} ${c.req.path} is not offered here.` });
    }),
  );
}

type Asker = { caller: Caller; keyId: string; settings: ModelSettings; requestId: string };

/** What a key's holder gets; any failure in the shape that OpenAI's clients read. */
async function answer(c: Context<AppContext>, ask: (asker: Asker) => Promise<Response>): Promise<Response> {
  const requestId = `req_${crypto.randomUUID().replaceAll("-", "")}`;
  const response = await answerOrRefuse(c, requestId, ask);
  response.headers.set("x-request-id", requestId);
  return response;
}

async function answerOrRefuse(c: Context<AppContext>, requestId: string, ask: (asker: Asker) => Promise<Response>): Promise<Response> {
  try {
    const holder = await keyHolderOf(c);
    if (!holder) throw new AppError("UNAUTHENTICATED", { message: c.req.header("authorization") === undefined ? NO_KEY : WRONG_KEY });
    const { caller, keyId, scopes } = holder;
    if (!scopes.includes("models"))
      throw new AppError("FORBIDDEN", { message: "This key may not ask models. It is set in the settings, under API keys." });
    await countOrRefuse(c.env, `v1:${keyId}`, hourly(COMPLETIONS_PER_HOUR), "RATE_LIMITED");
    return await ask({ caller, keyId, settings: await modelSettings(openDatabase(c.env.DB), caller.userId), requestId });
  } catch (thrown) {
    noteRefusal(c, thrown);
    const { status, headers, error } = toFailure(thrown, { path: c.req.path, requestId });
    return c.json({ error }, status, headers);
  }
}

const NO_KEY = "A key is needed: make one in Settings > General > API keys and send it as a bearer token.";
const WRONG_KEY = "Nobody has this key: it was mistyped or revoked. Keys are made in Settings > General > API keys.";

/** The models that the asker may name: within the allowlist and the plan. */
async function modelsOf(c: Context<AppContext>, { caller, settings }: Asker): Promise<Model[]> {
  const hasPro = PLANS[caller.plan].proModels;
  return modelsFor(c.env, await loadCatalogue(c.env), caller).filter(
    (model) =>
      model.id !== DEEP_RESEARCH_MODEL_ID && model.isAvailable && (hasPro || !model.isPro) && isAllowed(model.id, settings.allowlist),
  );
}

/** A model as OpenAI describes one, and what only ours say besides. */
function describe({
  id,
  name,
  provider,
  context_length,
  pricing,
}: Model): ModelOfOpenAI & Pick<Model, "name" | "context_length" | "pricing"> {
  return { id, object: "model", created: 0, owned_by: provider, name, context_length, pricing };
}
