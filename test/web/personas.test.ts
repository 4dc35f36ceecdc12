import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Persona } from "#shared/entities/persona.ts";
import { personaProblems } from "#shared/library/personas.ts";
import { absenceText } from "#web/features/conversation/persona-use/persona-notice.tsx";
import { type DiffLine, lineDiff } from "#web/features/library/personas/line-diff.ts";
import { paneFor } from "#web/features/library/kit/pane.ts";
import { personaChoices, personaPreview, searchedText } from "#web/features/library/personas/persona-choices.ts";
import { changedFields, draftOf } from "#web/features/library/personas/persona-draft.ts";
import { READY_MADE } from "#web/features/library/personas/ready-made.ts";

function persona(fields: Partial<Persona>): Persona {
  const at = "2026-11-22T12:00:00.000Z";
  const text = { name: "Pirate", content: "Speak like one.", personalization: null, version: 1, created_at: at, updated_at: at };
  return { id: "1", user_id: "me", team_id: null, is_personalized: false, is_default: false, ...text, ...fields };
}

describe("the entries of the picker", () => {
  const all = [persona({ id: "own", name: "Polylogue (personalized)", content: "" }), persona({ id: "pirate" })];

  it("the entries of the picker are 'No persona', whose id is an empty text, and the personas in their order", () => {
    const choices = personaChoices(all, "pirate");
    expect(choices.map(({ id, name, isDefault }) => [id, name, isDefault])).toEqual([
      ["", "No persona", false],
      ["own", "Polylogue (personalized)", false],
      ["pirate", "Pirate", true],
    ]);
  });

  it("the entries of the picker show the beginning of what a persona says, or that it says nothing", () => {
    expect(personaPreview(persona({ content: "Speak\nlike one." }), 8)).toBe("Speak li…");
    expect(personaPreview(persona({ content: " ", personalization: "--- PERSONALIZATION SECTION ---\nTea." }), 200)).toContain("Tea.");
    expect(personaPreview(persona({ content: "" }), 200)).toBe("Nothing is written in it yet.");
    expect(personaPreview(null, 200)).not.toBe("");
  });

  it("the entries of the picker are found by their name and by what is shown of their text", () => {
    const [none, , pirate] = personaChoices([persona({}), persona({ content: `rum ${" ".repeat(300)}parrot` })], null);
    expect(none && searchedText(none, 200)).toBe("No persona");
    expect(pirate && searchedText(pirate, 200)).toContain("Pirate rum");
    expect(pirate && searchedText(pirate, 200)).not.toContain("parrot");
  });
});

describe("the difference of two texts", () => {
  const side = (lines: readonly DiffLine[], kind: "removed" | "added") =>
    lines
      .filter((line) => line.kind === "same" || line.kind === kind)
      .map(({ text }) => text)
      .join("\n");

  it("the difference of two texts keeps what both have, and says what goes and what comes", () => {
    expect(lineDiff("one\ntwo\nthree\nfour", "one\n2\nthree\nfour\nfive").map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      "same one",
      "removed two",
      "added 2",
      "same three",
      "same four",
      "added five",
    ]);
    expect(lineDiff("", "")).toEqual([]);
    expect(lineDiff("gone", "")).toEqual([{ kind: "removed", text: "gone" }]);
  });

  it("the difference of two texts has both texts in it, whatever they are, and keeps as many lines as can be", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = lineDiff(before.join("\n"), after.join("\n"));
        expect(side(lines, "removed")).toBe(before.join("\n"));
        expect(side(lines, "added")).toBe(after.join("\n"));
        expect(lineDiff(before.join("\n"), before.join("\n")).every(({ kind }) => kind === "same")).toBe(true);
        // Turned round, as many lines are kept.
        const back = lineDiff(after.join("\n"), before.join("\n"));
        expect(back.filter(({ kind }) => kind === "same")).toHaveLength(lines.filter(({ kind }) => kind === "same").length);
      }),
    );
  });

  it("the difference of two texts shows texts of very many lines as replaced, rather than compare each with each", () => {
    const many = (mark: string) => Array.from({ length: 5_000 }, (_, n) => `${mark}${n}`).join("\n");
    const lines = lineDiff(`head\n${many("a")}`, `head\n${many("b")}`);
    expect(lines[0]).toEqual({ kind: "same", text: "head" });
    expect(lines).toHaveLength(10_001);
  });
});

it("a persona's form saves what was changed alone", () => {
  const before = persona({ team_id: "team" });
  expect(changedFields(before, draftOf(before))).toEqual({});
  expect(changedFields(before, { ...draftOf(before), name: " Captain ", teamId: null })).toEqual({ name: "Captain", team_id: null });
});

it("a persona's form leaves the personalized one its name, and an emptied section is none", () => {
  const own = persona({ is_personalized: true, personalization: "--- PERSONALIZATION SECTION ---" });
  expect(changedFields(own, { ...draftOf(own), name: "Mine", content: "Plainly.", personalization: "" })).toEqual({
    content: "Plainly.",
    personalization: null,
  });
});

it("a persona's form closes where its persona was deleted", () => {
  expect(paneFor({ kind: "edit", id: "1" }, ["1"])).toEqual({ kind: "edit", id: "1" });
  expect(paneFor({ kind: "versions", id: "1" }, [])).toEqual({ kind: "idle" });
  expect(paneFor({ kind: "new" }, [])).toEqual({ kind: "new" });
});

it("ten personas are ready-made, each of them fit to be added", () => {
  expect(new Set(READY_MADE.map(({ name }) => name)).size).toBe(10);
  for (const { name, content } of READY_MADE) expect(personaProblems({ name, content, personalization: "" }, false)).toEqual({});
});

it("that a chat's persona is gone or another's is said with who answers instead", () => {
  expect(absenceText({ isShared: false, instead: "Pirate" })).toBe("This chat's persona is gone. Your messages are answered as Pirate.");
  expect(absenceText({ isShared: true, instead: null })).toBe(
    "This chat's persona is not yours to use, or gone. Your messages are answered without one.",
  );
});
