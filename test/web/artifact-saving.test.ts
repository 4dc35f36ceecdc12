import { beforeEach, expect, test, vi } from "vitest";
import { createSaving, type SavedText, type SaveState, type SavingDeps } from "#web/features/library/artifact-editor/saving.ts";
import { createTextSource } from "#web/features/library/artifacts/text-source.ts";
import { ApiError } from "#web/lib/api.ts";

/** A server of one text that merges nothing: its answers to saves are given beforehand. */
function desk(answers: (SavedText | Error | "taken")[] = [], initial = "one\ntwo\nthree") {
  let typed = initial;
  let version = 1;
  const sent: { content: string; base: number }[] = [];
  const savedDrafts: (SavedText | null)[] = [];
  const states: SaveState["kind"][] = [];
  const latest: SavedText = { version: 9, content: "ONE\ntwo\nthree" };
  const source = createTextSource(initial);
  source.attach({ read: () => typed, write: (text) => (typed = text) });
  const deps: SavingDeps = {
    base: { version, content: initial },
    read: source.read,
    write: source.write,
    put: async (content, base) => {
      sent.push({ content, base });
      const answer = answers.shift() ?? "taken";
      if (answer instanceof Error) throw answer;
      version = answer === "taken" ? version + 1 : answer.version;
      return { version, content: answer === "taken" ? null : answer.content };
    },
    latest: async () => latest,
    keep: (draft) => savedDrafts.push(draft),
    onState: ({ kind }) => states.push(kind),
  };
  const saving = createSaving(deps);
  const type = (text: string) => {
    typed = text;
    source.typed();
    saving.changed();
  };
  return { saving, type, sent, savedDrafts, states, shown: () => typed };
}

const offline = new ApiError({ code: "OFFLINE", message: "", status: 0 });
const conflict = new ApiError({ code: "ARTIFACT_CONFLICT", message: "", status: 409 });

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

test("an artifact that is typed in is saved after a pause, each time from the version that the last save made", async () => {
  const { type, sent, states } = desk();
  type("one\ntwo\nthree!");
  type("one\ntwo\nthree!!");
  await vi.advanceTimersByTimeAsync(1_100);
  type("one\ntwo\nthree!!!");
  await vi.advanceTimersByTimeAsync(1_100);
  expect(sent).toEqual([
    { content: "one\ntwo\nthree!!", base: 1 },
    { content: "one\ntwo\nthree!!!", base: 2 },
  ]);
  expect(states).toEqual(["unsaved", "saving", "saved", "unsaved", "saving", "saved"]);
});

test("an artifact that is typed in is saved in time even while somebody never pauses", async () => {
  const { type, sent } = desk();
  for (let key = 1; key <= 30; key += 1) {
    type(`one\ntwo\nthree${"!".repeat(key)}`);
    await vi.advanceTimersByTimeAsync(500);
  }
  expect(sent.length).toBeGreaterThan(0);
});

test("an artifact that is typed in takes in what others wrote elsewhere in it, and keeps what was typed meanwhile", async () => {
  const { type, sent, shown, states } = desk([{ version: 5, content: "ONE\ntwo\nthree!" }]);
  type("one\ntwo\nthree!");
  await vi.advanceTimersByTimeAsync(1_100);
  expect(shown()).toBe("ONE\ntwo\nthree!");
  type("ONE\ntwo\nthree!?");
  await vi.advanceTimersByTimeAsync(1_100);
  expect(sent[1]).toEqual({ content: "ONE\ntwo\nthree!?", base: 5 });
  expect(states.at(-1)).toBe("saved");
});

test("an artifact that is typed in says where others changed the same lines, saves nothing until somebody chose, and then from their version", async () => {
  const { saving, type, sent, shown, states, savedDrafts } = desk([conflict]);
  type("uno\ntwo\nthree");
  await vi.advanceTimersByTimeAsync(1_100);
  expect(states.at(-1)).toBe("conflict");
  expect(savedDrafts.at(-1)?.content).toBe("uno\ntwo\nthree");
  type("uno!\ntwo\nthree");
  await vi.advanceTimersByTimeAsync(20_000);
  expect(sent).toHaveLength(1);
  await saving.resolve("ONE or uno!\ntwo\nthree");
  expect(sent[1]).toEqual({ content: "ONE or uno!\ntwo\nthree", base: 9 });
  expect(shown()).toBe("ONE or uno!\ntwo\nthree");
  expect(states.at(-1)).toBe("saved");
});

test("an artifact that is typed in is kept in the browser while the server is away, tried again, and forgotten there once it is saved", async () => {
  const { type, sent, savedDrafts, states } = desk([offline]);
  type("one\ntwo\nthree!");
  await vi.advanceTimersByTimeAsync(1_100);
  expect(states.at(-1)).toBe("offline");
  expect(savedDrafts.at(-1)).toEqual({ version: 1, content: "one\ntwo\nthree!" });
  await vi.advanceTimersByTimeAsync(10_100);
  expect(sent).toHaveLength(2);
  expect(savedDrafts.at(-1)).toBeNull();
  expect(states.at(-1)).toBe("saved");
});

test("an artifact that is typed in shows what others saved while nobody typed here, and leaves what is typed alone", async () => {
  const { saving, type, shown } = desk();
  saving.arrived({ version: 2, content: "ONE\ntwo\nthree" });
  expect(shown()).toBe("ONE\ntwo\nthree");
  type("ONE\ntwo\nthree!");
  saving.arrived({ version: 3, content: "other" });
  expect(shown()).toBe("ONE\ntwo\nthree!");
  saving.stop();
});

test("an artifact that is typed in shows a refusal in the server's words, and keeps the text", async () => {
  const refusal = new ApiError({ code: "INVALID_INPUT", message: "An artifact can have at most 1 MB of text.", status: 400 });
  const { type, savedDrafts, states } = desk([refusal]);
  type("long");
  await vi.advanceTimersByTimeAsync(1_100);
  expect(states.at(-1)).toBe("failed");
  expect(savedDrafts.at(-1)?.content).toBe("long");
});
