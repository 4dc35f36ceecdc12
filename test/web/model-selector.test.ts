import { withAutopilot } from "#web/features/conversation/models/autopilot-model.ts";
import { expect, test } from "vitest";
import type { Model } from "#shared/entities/model.ts";
import { emptyText } from "#web/features/conversation/models/list-notice.tsx";
import { listStatus } from "#web/features/conversation/models/list-status.ts";
import { factLine, factsOf, turboText } from "#web/features/conversation/models/model-facts.ts";
import { usableDefault } from "#web/features/conversation/models/use-selected-model.ts";
import { barrierOf, searchModels, selectableModels } from "#web/features/conversation/models/selector-models.ts";

function model(fields: Partial<Model> & { id: string }): Model {
  return {
    name: fields.id,
    provider: "Maker",
    providerId: "maker",
    description: "",
    icon: null,
    features: [],
    pricing: null,
    context_length: null,
    top_provider: { context_length: null },
    vision: false,
    tools: false,
    reasoning: false,
    isPro: false,
    isTurbo: false,
    isAvailable: true,
    ...fields,
  };
}

const auto = model({ id: "auto", name: "Auto", providerId: "openrouter", context_length: 2_000_000 });
const claude = model({
  id: "anthropic/claude",
  name: "Anthropic: Claude Élan 4",
  provider: "Anthropic",
  context_length: 1_000_000,
  top_provider: { context_length: 200_000 },
  pricing: { prompt: 0.000003, completion: 0.0000151 },
});
const local = model({ id: "llama3:8b" });
const models = [auto, claude, local];

test("a default that left the catalogue, or that this person may not use, is 'Auto'; until the catalogue is here it stands", () => {
  const defaultOf = (id: string | null, list: readonly Model[] | undefined) => usableDefault(id, { models: list, user: null });
  expect(defaultOf(claude.id, models)).toBe(claude.id);
  expect(defaultOf("maker/retired", models)).toBe("auto");
  expect(defaultOf("maker/retired", undefined)).toBe("maker/retired");
  expect(defaultOf(claude.id, [auto, { ...claude, isAvailable: false }])).toBe("auto");
  expect(defaultOf(claude.id, [auto, { ...claude, isPro: true }])).toBe("auto");
  expect([defaultOf("autopilot", models), defaultOf(null, models)]).toEqual(["autopilot", null]);
});

test("the turbo tooltip names who serves the model", () => {
  expect(turboText(claude)).toBe("Turbo model — high throughput via Anthropic");
  expect(turboText({ id: "meta-llama/llama-4:nitro", provider: "Meta" })).toBe("Turbo model — high throughput via OpenRouter");
});

test("the selector's models are those of the allowlist, and 'Auto' always", () => {
  expect(selectableModels(models, [{ id: local.id, name: local.id }])).toEqual([auto, local]);
  expect(selectableModels(models, null)).toEqual(models);
});

test("the selector's models have Autopilot among them by its name, after 'Auto'", () => {
  const ids = (list: typeof models) => withAutopilot(list).map(({ id }) => id);
  const aya = model({ id: "c/aya", name: "Cohere: Aya" });
  expect(ids([auto, claude, local])).toEqual(["auto", "autopilot", claude.id, local.id]);
  expect(ids([auto, model({ id: "a/alpha", name: "Alpha" }), aya])).toEqual(["auto", "a/alpha", "autopilot", "c/aya"]);
  expect(ids([auto])).toEqual(["auto", "autopilot"]);
  expect(ids([])).toEqual([]);
});

test("the selector's models are found by name, vendor or id, in any case, order and accent", () => {
  for (const query of ["claude", "ANTHROPIC", "anthropic/cl", "4 elan", "  élan "]) expect(searchModels(models, query)).toEqual([claude]);
  expect(searchModels(models, "claude llama")).toEqual([]);
  expect(searchModels(models, " ")).toEqual(models);
});

test("the selector's models stand behind a plan or signing in", () => {
  const account = { anonymous: false, solo_plan: false, team_plan: false };
  const guest = { ...account, anonymous: true };
  const pro = model({ id: "a/pro", isPro: true, isAvailable: false });
  const dear = model({ id: "a/dear", isAvailable: false });
  expect([null, guest, account].map((who) => barrierOf(pro, who))).toEqual(["pro", "pro", "pro"]);
  const subscribers = [
    { ...account, solo_plan: true },
    { ...account, team_plan: true },
  ];
  expect(subscribers.map((who) => barrierOf(pro, who))).toEqual(["none", "none"]);
  expect([null, guest, account].map((who) => barrierOf(dear, who))).toEqual(["sign_in", "sign_in", "none"]);
});

test("a model's numbers are its usable context and its prices per 1M tokens", () => {
  expect(factsOf(claude)).toEqual({ context: "200K", input: "$3.00", cached: null, output: "$15.10" });
  const kept = { ...claude, pricing: { prompt: 3e-6, completion: 15.1e-6, cached: 3e-7 } };
  expect(factsOf(kept)).toMatchObject({ input: "$3.00", cached: "$0.30" });
  expect(factLine(claude)).toBe("200K context, $3 in, $15.10 out");
});

test("a model's numbers say that a router's price varies, and nothing where nothing is known", () => {
  expect(factsOf(auto)).toEqual({ context: "2M", input: "varies", cached: null, output: "varies" });
  expect(factLine(auto)).toBe("Picks a model for each message");
  expect(factsOf(local)).toEqual({ context: null, input: null, cached: null, output: null });
  expect(factLine(local)).toBe("Maker");
});

test.each([
  [{ status: "loading", count: 0, matches: 0 }, "Loading models..."],
  [{ status: "failed", count: 0, matches: 0 }, "No models found. Check console for errors."],
  [{ status: "ready", count: 0, matches: 0 }, "No models found. Check console for errors."],
  [{ status: "ready", count: 9, matches: 0 }, "No models match your search."],
  [{ status: "stale", count: 9, matches: 3 }, null],
] as const)("a list without rows: %j says %s", (state, text) => {
  expect(emptyText(state)).toBe(text);
});

test("a list without rows is loading while it is asked for, again too, and failed only when that is over", () => {
  expect(listStatus({ isFetching: true, isError: true, data: undefined })).toBe("loading");
  expect(listStatus({ isFetching: false, isError: true, data: undefined })).toBe("failed");
  expect(listStatus({ isFetching: false, isError: true, data: { stale: true } })).toBe("stale");
});
