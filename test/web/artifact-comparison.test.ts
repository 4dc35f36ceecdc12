import { describe, expect, test } from "vitest";
import { insertionsOf, locateInsertions } from "#web/features/library/artifact-history/open-insertions.ts";
import { compareTexts, countLines, type Decision, decidedText, hunksOf, markWords } from "#web/features/library/artifact-history/hunks.ts";
import { mergeTexts, singleChange } from "#web/features/library/artifacts/merge-texts.ts";
import { resolveReview, savedDecisions, savedTarget, openReview, reviewOf } from "#web/features/library/artifact-history/review.ts";
import type { ArtifactVersion } from "#shared/entities/artifact.ts";

const BEFORE = "# Lisbon\n\nRent\nDeposit\nSum 37,250\n\nThe offer of 3 November.\n- Read the lease.";
const AFTER = "# Lisbon\n\nRent\nDeposit\nFurniture\nSum 38,040\n\nThe offer of 10 November.\n- Read the lease.\n- Ask about the desks.";

function decide(decisions: Record<number, Decision>): string {
  return decidedText(compareTexts(BEFORE, AFTER), new Map(Object.entries(decisions).map(([at, decision]) => [Number(at), decision])));
}

test("a change comes in hunks, in reading order, with the lines that came and went", () => {
  const segments = compareTexts(BEFORE, AFTER);
  expect(hunksOf(segments).map(({ before, after }) => [before, after])).toEqual([
    [["Sum 37,250"], ["Furniture", "Sum 38,040"]],
    [["The offer of 3 November."], ["The offer of 10 November."]],
    [[], ["- Ask about the desks."]],
  ]);
  expect(countLines(segments)).toEqual({ added: 4, removed: 2 });
});

test("a change is the text after where nothing was rejected, and the one before where all was", () => {
  expect(decide({})).toBe(AFTER);
  expect(decide({ 0: "accepted", 1: "accepted", 2: "accepted" })).toBe(AFTER);
  expect(decide({ 0: "rejected", 1: "rejected", 2: "rejected" })).toBe(BEFORE);
});

test("a change loses the rejected hunk alone", () => {
  expect(decide({ 1: "rejected" })).toBe(AFTER.replace("10 November", "3 November"));
});

test("a change marks the words that changed, and none where most of a hunk did", () => {
  const { before, after } = markWords({ before: ["The offer of 3 November."], after: ["The offer of 10 November."] });
  expect(before[0]?.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(["3"]);
  expect(after[0]?.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(["10"]);
  const sums = markWords({ before: ["The sum is 37,250."], after: ["The sum is 38,040."] });
  expect(sums.after[0]?.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(["38,040"]);
  expect(markWords({ before: ["one two"], after: ["entirely different words"] }).after[0]?.some(({ isChanged }) => isChanged)).toBe(false);
});

test("a change of or to an empty text is one hunk that can be taken back", () => {
  expect(hunksOf(compareTexts("", "a\nb"))).toHaveLength(1);
  expect(decidedText(compareTexts("", "a\nb"), new Map([[0, "rejected"]]))).toBe("");
  expect(decidedText(compareTexts("a\nb", ""), new Map([[0, "rejected"]]))).toBe("a\nb");
});

describe("two people's texts", () => {
  const base = "one\ntwo\nthree\nfour\nfive";

  test("two people's texts are taken together where they don't touch", () => {
    expect(mergeTexts({ base, mine: base.replace("one", "One"), theirs: base.replace("five", "Five") })).toBe(
      "One\ntwo\nthree\nfour\nFive",
    );
  });

  test("two people's texts are not taken together where both changed the same line", () => {
    expect(mergeTexts({ base, mine: base.replace("two", "2"), theirs: base.replace("two", "zwei") })).toBeNull();
    expect(mergeTexts({ base, mine: base.replace("two", "2"), theirs: base.replace("two", "2") })).toBe(base.replace("two", "2"));
  });

  test("two people's texts are taken together at once however long, where the changes stand close", () => {
    const long = "same\n".repeat(50_000);
    const started = performance.now();
    const merged = mergeTexts({
      base: `${long}${base}\n${long}`,
      mine: `${long}${base.replace("one", "One")}\n${long}`,
      theirs: `${long}${base.replace("five", "Five")}\n${long}`,
    });
    expect(merged === `${long}One\ntwo\nthree\nfour\nFive\n${long}`).toBe(true);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  test("two people's texts are left to the person where distinguishing them would hold up the page", () => {
    const long = "same\n".repeat(3_000);
    const started = performance.now();
    expect(mergeTexts({ base: `a\n${long}b`, mine: `A\n${long}b`, theirs: `a\n${long}B` })).toBeNull();
    expect(performance.now() - started).toBeLessThan(1_000);
    const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at}`).join("\n");
    expect(mergeTexts({ base: `a\n${lines}\nb`, mine: `A\n${lines}\nb`, theirs: `a\n${lines}\nB` })).toBe(`A\n${lines}\nB`);
  });

  test("two people's texts keep lines that were put in where the same ones stand", () => {
    expect(mergeTexts({ base: "a\nb\na", mine: "a\na\nb\na", theirs: "a\nb\nc\na" })).toBe("a\na\nb\nc\na");
    expect(mergeTexts({ base: "", mine: "", theirs: "x" })).toBe("x");
  });

  test("two people's texts differ in the same stretch however long they are, and wherever in them it stands", () => {
    const long = "abcdefg hij\n".repeat(5_000);
    for (const at of [0, 1, 4_095, 4_096, 4_097, 30_001, long.length - 4_097, long.length - 4_096, long.length - 1, long.length]) {
      for (const [gone, insert] of [
        ["", "XY"],
        [long.slice(at, at + 2), ""],
        [long.slice(at, at + 1), "Z"],
      ] as const) {
        const after = long.slice(0, at) + insert + long.slice(at + gone.length);
        const { from, to, insert: put } = singleChange(long, after) ?? { from: 0, to: 0, insert: "" };
        expect(long.slice(0, from) + put + long.slice(to)).toBe(after);
        expect(to - from).toBeLessThanOrEqual(gone.length);
      }
    }
  });

  test("two people's texts differ in one stretch, which is all that an editor has to change", () => {
    expect(singleChange("abc def", "abc xy def")).toEqual({ from: 4, to: 4, insert: "xy " });
    expect(singleChange("aaa", "aa")).toEqual({ from: 2, to: 3, insert: "" });
    expect(singleChange("same", "same")).toBeNull();
  });
});

describe("what waits for a review", () => {
  function version(number: number, kind: ArtifactVersion["kind"]): ArtifactVersion {
    const nobody = { author_id: null, author_name: "", model_id: null, chat_id: null, message_id: null, restored_from: null };
    return { version: number, kind, created_at: "2026-11-22T10:00:00.000Z", size: 1, ...nobody };
  }
  const versions = [version(9, "model"), version(8, "model"), version(6, "edit"), version(1, "create")];

  test("what waits for a review is all that models wrote since a person did, against what that person left", () => {
    const target = openReview(versions, 0);
    expect([target?.version.version, target?.before.version]).toEqual([9, 6]);
  });

  test("what waits for a review is only what came after the last review, and nothing once a person wrote", () => {
    expect(openReview(versions, 8)?.before.version).toBe(8);
    expect(openReview(versions, 9)).toBeNull();
    expect(openReview(versions.slice(2), 0)).toBeNull();
  });

  test("what waits for a review can be any version by its number, against the one kept before it", () => {
    expect(reviewOf(versions, 8)?.before.version).toBe(6);
    expect(reviewOf(versions, 7)?.version.version).toBe(6);
    expect(reviewOf(versions, 1)).toBeNull();
  });

  test("what waits for a review stays what it was opened as, whatever is decided in it, until another is wanted", () => {
    const waiting = openReview(versions, 0);
    expect(resolveReview(null, { wanted: 9, waiting: null, left: null, versions: versions.slice(1) })).toBeNull();
    const resolved = resolveReview(null, { wanted: 9, waiting, left: null, versions });
    expect(resolved?.target.before.version).toBe(6);
    const later = [version(10, "edit"), ...versions];
    expect(resolveReview(resolved, { wanted: 9, waiting: openReview(later, 9), left: null, versions: later })).toBe(resolved);
    expect(resolveReview(resolved, { wanted: 8, waiting: null, left: null, versions: later })?.target.before.version).toBe(6);
    expect(resolveReview(resolved, { wanted: null, waiting: null, left: null, versions: later })).toBeNull();
  });

  test("what waits for a review is the same after a reload as it was left, with what was decided, whatever was written since", () => {
    const savedReview = { version: 9, before: 6, base: 10, accepted: [0, 2], rejected: [1], is_done: false };
    const later = [version(10, "review"), ...versions];
    const left = savedTarget(later, savedReview);
    expect(resolveReview(null, { wanted: 9, waiting: null, left, versions: later })?.target.before.version).toBe(6);
    expect([...savedDecisions(savedReview)].toSorted(([a], [b]) => a - b)).toEqual([
      [0, "accepted"],
      [1, "rejected"],
      [2, "accepted"],
    ]);
    expect(savedTarget(versions.slice(0, 2), savedReview)).toBeNull();
  });
});

describe("what a change brings", () => {
  const [before, after] = [
    "| **Rent** | **37,250** |\n\nSee [the offer](https://example.com/10) of 3 May.\n",
    "| **Rent** | **38,040** |\n\nSee [the offer](https://example.com/10) of 10 May.\n\n- Ask _again_.\n",
  ];
  const drawn = "Rent38,040See the offer of 10 May.Ask again.10";
  const segments = compareTexts(before, after);
  const marked = (decisions: ReadonlyMap<number, Decision> = new Map()) =>
    locateInsertions(drawn, insertionsOf(segments, decisions)).map(({ start, end }) => drawn.slice(start, end));

  test("what a change adds is found in the text as it reads, each in its place and never in a link's address", () => {
    expect(marked()).toEqual(["38,040", "10", "Ask again"]);
    expect(locateInsertions(drawn, insertionsOf(segments, new Map()))[1]).toEqual({
      start: drawn.indexOf("10 May"),
      end: drawn.indexOf(" May"),
    });
  });

  test("what a change adds is no longer marked once it was decided", () => {
    expect(marked(new Map([[0, "rejected"]]))).toEqual(["10", "Ask again"]);
  });
});
