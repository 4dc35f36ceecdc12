import { describe, expect, it } from "vitest";
import { CONTENT_NAME_LENGTH, PERSONA_LENGTH } from "#shared/limits.ts";
import {
  PERSONALIZATION_MARKER,
  personaProblems,
  previewOf,
  resolvePersona,
  shortPersonaName,
  sortPersonas,
} from "#shared/library/personas.ts";
import { contentRights } from "#shared/sharing/shared-content.ts";

function persona(id: string, changes: { is_default?: boolean; is_personalized?: boolean } = {}) {
  return { id, name: id, is_default: false, is_personalized: false, ...changes };
}

const [pirate, poet, flagged] = [persona("pirate"), persona("poet"), persona("flagged", { is_default: true })];

it.each([
  ["what was picked", { explicit: "poet", lastUsed: "pirate", globalDefault: "pirate" }, "poet"],
  ["none, where none was picked", { explicit: "", lastUsed: "pirate", globalDefault: "pirate" }, null],
  ["what the chat used last", { lastUsed: "pirate", globalDefault: "poet" }, "pirate"],
  ["none, where the chat has none", { lastUsed: "", globalDefault: "poet" }, null],
  ["the user's default", { lastUsed: null, globalDefault: "poet" }, "poet"],
  ["the flagged one", { globalDefault: null }, "flagged"],
  ["as if none was picked, where that is gone", { explicit: "gone", lastUsed: "gone too", globalDefault: "poet" }, "poet"],
  ["the flagged one, where the default is gone", { globalDefault: "gone" }, "flagged"],
])("the persona of a turn is %s", (_, choice, expected) => {
  expect(resolvePersona({ ...choice, personas: [pirate, poet, flagged] })?.id ?? null).toBe(expected);
});

it("the persona of a turn is the first, where none is flagged, and none where there is none", () => {
  expect(resolvePersona({ globalDefault: null, personas: [poet, pirate] })?.id).toBe("poet");
  expect(resolvePersona({ globalDefault: "poet", personas: [] })).toBeNull();
});

it("personas are sorted by name, the personalized one first", () => {
  const personas = [persona("b"), persona("A"), persona("z", { is_personalized: true })];
  expect(sortPersonas(personas).map(({ id }) => id)).toEqual(["z", "A", "b"]);
});

it("a persona's name is shown without its number, and cut after 16 characters", () => {
  expect(shortPersonaName("Editor (2)")).toBe("Editor");
  expect(shortPersonaName("Sixteen letters!")).toBe("Sixteen letters!");
  expect(shortPersonaName("Seventeen letters")).toBe("Seventeen letter…");
});

it("a preview is the beginning of a text on one line, and cuts no character in two", () => {
  expect(previewOf("  One\n\ntwo  three ", 20)).toBe("One two three");
  expect(previewOf("abcdef ghi", 7)).toBe("abcdef…");
  expect(previewOf("🦜".repeat(300), 200)).toBe(`${"🦜".repeat(200)}…`);
});

describe("what is wrong with a persona's texts", () => {
  const good = { name: "Pirate", content: "Speak like one.", personalization: "" };
  const noMarker = `Personalization content must start with '${PERSONALIZATION_MARKER}'`;
  const tooLong = "This persona is too long. Shorten it to 20,000 characters.";
  it.each([
    ["nothing", good, false, {}],
    ["an empty name", { ...good, name: " " }, false, { name: "Name cannot be empty." }],
    ["a long name", { ...good, name: "n".repeat(CONTENT_NAME_LENGTH + 1) }, false, { name: "That name is too long." }],
    ["an empty content", { ...good, content: "\n " }, false, { content: "Content cannot be empty." }],
    ["a long content", { ...good, content: "c".repeat(PERSONA_LENGTH + 1) }, false, { content: tooLong }],
    ["nothing where the personalized one says nothing", { ...good, content: "" }, true, {}],
    ["nothing where its section begins with the marker", { ...good, personalization: `${PERSONALIZATION_MARKER}\nTea.` }, true, {}],
    ["a section that begins otherwise", { ...good, personalization: ` ${PERSONALIZATION_MARKER}` }, true, { personalization: noMarker }],
  ])("what is wrong with a persona's texts is %s", (_, text, isPersonalized, expected) => {
    expect(personaProblems(text, isPersonalized)).toEqual(expected);
  });
});

describe("who may do what with shared content", () => {
  const ALL = { use: true, edit: true, share: true, delete: true };
  const USE = { use: true, edit: false, share: false, delete: false };
  const NONE = { use: false, edit: false, share: false, delete: false };
  const member = { role: "member" as const, contentAdminOnly: false };
  const admin = { role: "admin" as const, contentAdminOnly: false };
  it.each([
    ["the creator of a personal item", { user_id: "me", team_id: null }, null, ALL],
    ["a stranger to a personal item", { user_id: "you", team_id: null }, null, NONE],
    ["its creator in the team", { user_id: "me", team_id: "t" }, member, ALL],
    ["another member", { user_id: "you", team_id: "t" }, member, USE],
    ["another admin", { user_id: "you", team_id: "t" }, admin, { ...USE, delete: true }],
    ["a stranger to the team", { user_id: "you", team_id: "t" }, null, NONE],
    ["its creator who left the team", { user_id: "me", team_id: "t" }, null, ALL],
    [
      "its creator, no admin, where admins alone change content",
      { user_id: "me", team_id: "t" },
      { ...member, contentAdminOnly: true },
      { ...USE, delete: true },
    ],
    ["another member there", { user_id: "you", team_id: "t" }, { ...member, contentAdminOnly: true }, USE],
    ["its creator, an admin, there", { user_id: "me", team_id: "t" }, { ...admin, contentAdminOnly: true }, ALL],
    ["another admin there", { user_id: "you", team_id: "t" }, { ...admin, contentAdminOnly: true }, ALL],
  ])("who may do what with shared content: %s", (_, item, team, rights) => {
    expect(contentRights(item, "me", team)).toEqual(rights);
  });
});
