import { describe, expect, it } from "vitest";
import type { Model } from "#shared/entities/model.ts";
import { AUTOPILOT_MODEL_ID } from "#shared/models/model-ids.ts";
import { isTooLong, linkOf, openChoices } from "#web/features/conversation/deeplinks/builder-state.ts";
import { type Deeplink, FILLED_IN, carriedPath, deeplinkPath, readDeeplink } from "#web/features/conversation/deeplinks/deeplink.ts";
import { examplesOf } from "#web/features/conversation/deeplinks/deeplink-docs.tsx";
import { fillComposer } from "#web/features/conversation/deeplinks/follow-deeplink.ts";
import { promptSyntaxProblem, promptNameOf } from "#web/features/conversation/deeplinks/deeplink-builder.tsx";
import { type Known, listed, planDeeplink } from "#web/features/conversation/deeplinks/plan-deeplink.ts";
import { NEW_CHAT, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { withAutopilot } from "#web/features/conversation/models/autopilot-model.ts";

const ORIGIN = "https://chat.example";
const NOTHING: Deeplink = { model: null, prompt: null, template: null, persona: null, knowledge: [], autoSettings: false };

function model(id: string, changes: Partial<Model> = {}): Model {
  return {
    id,
    name: id,
    provider: "Maker",
    providerId: "maker",
    description: "",
    icon: null,
    features: [],
    pricing: null,
    context_length: null,
    top_provider: { context_length: null },
    vision: false,
    tools: true,
    reasoning: false,
    isPro: false,
    isTurbo: false,
    isAvailable: true,
    ...changes,
  };
}

const user: Known["user"] = { anonymous: false, solo_plan: false, team_plan: false, model_allowlist: null };
const models = withAutopilot([model("auto"), model("a/plain"), model("a/pro", { isPro: true }), model("a/costly", { isAvailable: false })]);
const known: Known = { user, models, personaIds: ["p1"], templateIds: ["t1"], knowledgeIds: ["k2"] };

const read = (search: string) => readDeeplink(new URLSearchParams(search));

it("an address of the new chat says what the specification's parameters say, and nothing where none is there", () => {
  expect(read("settings=general&message=1")).toBeNull();
  expect(read("model=a/b&prompt=Hi%20there&template=t&knowledge=k1,%20k2,,k1&persona=p&auto_settings=true")).toEqual({
    model: "a/b",
    prompt: "Hi there",
    template: "t",
    knowledge: ["k1", "k2"],
    persona: "p",
    autoSettings: true,
  });
  expect(read("prompt=%20&persona=&auto_settings=1")).toEqual(NOTHING);
});

it("an address of the new chat is written to read the same again, whatever the text", () => {
  for (const prompt of ["a&b=c#d?e+f %20 “ö” 🎈\nnext", "{{CURRENT_DATE}} stays", "half \ud800"]) {
    const link = { ...NOTHING, prompt, model: "a/b:free", knowledge: ["k,1", "k2"].slice(1), persona: "p", autoSettings: true };
    const path = deeplinkPath(link);
    expect(path).toMatch(/^\/new\?[\w=&%/:.,~!*'()-]+$/);
    expect(read(new URL(path, ORIGIN).search)).toEqual({ ...link, prompt: prompt.toWellFormed() });
  }
  expect(deeplinkPath(NOTHING)).toBe("/new");
  expect(deeplinkPath({ ...NOTHING, prompt: "a b", model: "x/y" })).toBe("/new?prompt=a%20b&model=x/y");
});

it.each<[string, Partial<Deeplink>, Partial<ReturnType<typeof planDeeplink>>]>([
  [
    "takes what there is",
    { model: "a/plain", persona: "p1", template: "t1" },
    { settings: { model_id: "a/plain", persona_id: "p1" }, template: "t1" },
  ],
  [
    "leaves open things to Autopilot",
    { autoSettings: true, persona: "p1" },
    { settings: { model_id: AUTOPILOT_MODEL_ID, persona_id: "p1" } },
  ],
  ["keeps its own model before Autopilot's", { autoSettings: true, model: "a/plain" }, { settings: { model_id: "a/plain" } }],
  ["takes Autopilot by name", { model: "autopilot" }, { settings: { model_id: "autopilot" } }],
  [
    "names what is not there and goes on with the rest",
    { model: "gone/x", persona: "another", template: "t2", knowledge: ["k1"], autoSettings: true },
    {
      settings: { model_id: AUTOPILOT_MODEL_ID },
      skipped: [
        "the model gone/x (not known here)",
        "the persona another (not found)",
        "the prompt t2 (not found)",
        "the knowledge k1 (not found)",
      ],
    },
  ],
  ["refuses a Pro model without the plan", { model: "a/pro" }, { skipped: ["the model a/pro (for Pro plans)"] }],
  ["cuts what it names", { persona: "x".repeat(500) }, { skipped: [`the persona ${"x".repeat(60)}… (not found)`] }],
])("a deeplink: %s", (_, link, expected) => {
  const { named: _named, ...plan } = planDeeplink({ ...NOTHING, ...link }, known);
  expect(plan).toEqual({
    settings: {},
    template: null,
    skipped: [],
    needsAccount: [],
    ...expected,
  });
});

it("a deeplink holds its own model and persona before its template's, and Autopilot behind", () => {
  const link = { ...NOTHING, template: "t1", persona: "p1", autoSettings: true };
  expect(planDeeplink(link, known)).toMatchObject({ settings: { model_id: AUTOPILOT_MODEL_ID }, named: { persona_id: "p1" } });
  expect(planDeeplink(link, known).named).not.toHaveProperty("model_id");
  expect(planDeeplink({ ...link, model: "a/plain" }, known).named).toEqual({ model_id: "a/plain", persona_id: "p1" });
});

it("a deeplink takes no model outside the allowlist", () => {
  const narrow = { ...known, user: { ...user, model_allowlist: [{ id: "a/pro", name: "Pro" }] } };
  const { settings, skipped } = planDeeplink({ ...NOTHING, model: "a/plain" }, narrow);
  expect({ settings, skipped }).toEqual({ settings: {}, skipped: ["the model a/plain (not among the models you allow)"] });
});

it("a deeplink asks a visitor to sign in for what needs an account, and takes the rest", () => {
  const link = { ...NOTHING, model: "a/costly", persona: "p1", template: "t1", knowledge: ["k"], autoSettings: true };
  for (const visitor of [null, { ...user, anonymous: true }]) {
    expect(planDeeplink(link, { ...known, user: visitor, personaIds: [], templateIds: [] })).toEqual({
      settings: { model_id: AUTOPILOT_MODEL_ID },
      named: {},
      template: null,
      skipped: [],
      needsAccount: ["the model a/costly", "the persona p1", "the prompt t1", "the knowledge k"],
    });
  }
  expect(listed(["a", "b", "c"])).toBe("a, b and c");
  expect(listed(["a"])).toBe("a");
});

describe("the text of a link", () => {
  const fill = (path: string) => {
    const query = new URLSearchParams(path.split("?")[1]);
    fillComposer(readDeeplink(query)?.prompt ?? "", { isFilledIn: query.has(FILLED_IN) });
    return readDraft(NEW_CHAT);
  };
  const link = { ...NOTHING, prompt: "Keep it short", model: "a/plain" };

  it("the text of a deeplink after signing in is left as its visitor has it by then, and is there where they had nothing", () => {
    writeDraft(NEW_CHAT, "");
    expect(fill(deeplinkPath(link))).toBe("Keep it short");
    writeDraft(NEW_CHAT, "Keep it long");
    expect(fill(carriedPath(link))).toBe("Keep it long");
    writeDraft(NEW_CHAT, "");
    expect(fill(carriedPath(link))).toBe("Keep it short");
    expect(carriedPath({ ...link, prompt: null })).toBe("/new?model=a/plain");
  });

  it("the text of a deeplink takes the place of another that it is a part of", () => {
    writeDraft(NEW_CHAT, "Don't: Keep it short");
    expect(fill(deeplinkPath(link))).toBe("Keep it short");
  });
});

describe("the builder", () => {
  const state = { tab: "prompt", prompt: "Hello", template: "t1", model: null, persona: "", knowledge: [], autoSettings: false } as const;

  it("the deeplink builder writes the shown tab alone, and what was chosen", () => {
    expect(deeplinkPath(linkOf(state))).toBe("/new?prompt=Hello");
    expect(deeplinkPath(linkOf({ ...state, tab: "template", model: "a/b", persona: "p", autoSettings: true }))).toBe(
      "/new?template=t1&model=a/b&persona=p&auto_settings=true",
    );
    expect(deeplinkPath(linkOf({ ...state, prompt: "  " }))).toBe("/new");
  });

  it("the deeplink builder stops at 8,000 characters of the whole address", () => {
    const beginning = `${ORIGIN}/new?prompt=`.length;
    expect(isTooLong(linkOf({ ...state, prompt: "x".repeat(8_000 - beginning) }), ORIGIN)).toBe(false);
    expect(isTooLong(linkOf({ ...state, prompt: "x".repeat(8_001 - beginning) }), ORIGIN)).toBe(true);
    expect(isTooLong(linkOf({ ...state, prompt: "é".repeat(1_400) }), ORIGIN)).toBe(true);
  });

  it("the deeplink builder says what is left open", () => {
    expect(openChoices({ ...state, autoSettings: true })).toBe("Autopilot picks what the link leaves open: here the model and the tools.");
    expect(openChoices({ ...state, model: "a/b" })).toContain("names a model");
  });

  it("the deeplink builder names a kept text by its beginning", () => {
    expect(promptNameOf("  One\n line ")).toBe("One line");
    expect(promptNameOf("é".repeat(80))).toBe(`${"é".repeat(60)}…`);
  });
});

it("the examples name only what there is here for this person", () => {
  for (const here of [
    { models, user, personas: [{ id: "p1", name: "Ada" }], prompts: [{ id: "t1", name: "Weekly" }] },
    { models, user: null, personas: [], prompts: [] },
    { models: [], user: null, personas: [], prompts: [] },
  ]) {
    const examples = examplesOf(here);
    expect(examples).toHaveLength(3);
    expect(new Set(examples.map(({ link }) => deeplinkPath(link))).size).toBe(3);
    const ids = { personaIds: here.personas.map(({ id }) => id), templateIds: here.prompts.map(({ id }) => id), knowledgeIds: [] };
    for (const { link } of examples) {
      expect(planDeeplink(link, { models: here.models, user: here.user, ...ids })).toMatchObject({ skipped: [], needsAccount: [] });
    }
  }
});

it("knowledge that its reader may use joins the new chat", () => {
  const plan = planDeeplink({ ...NOTHING, knowledge: ["k1", "k2"] }, known);
  expect(plan).toMatchObject({ settings: { context_ids: ["k2"] }, skipped: ["the knowledge k1 (not found)"] });
});

it.each<[string, string | null]>([
  ["Plain words, {{}} and {{UNKNOWN}} and a --- within", null],
  ["```\n---\n```\nin a fence", null],
  ["Write to {{name}}", "which would fill in {{name}}"],
  ["Today is {{CURRENT_DATE}}", "which would fill in {{CURRENT_DATE}}"],
  ["one\n---\ntwo", "as its lines of --- would make steps of it"],
])("a deeplink's text that is saved as a prompt is refused where a prompt reads it in another way: %j", (text, problem) => {
  expect(promptSyntaxProblem(text)).toBe(problem);
});
