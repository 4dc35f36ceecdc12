import fc from "fast-check";
import { expect, it } from "vitest";
import { cases } from "#test/support/cases.ts";
import { share } from "#test/support/shared-chat.ts";
import { addTestTools } from "#test/support/test-tools.ts";
import { History, makeWorld, READINGS, type Step } from "#test/support/untrusted-history.ts";

addTestTools();

const at = fc.nat({ max: 9 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("turn"), reads: fc.constantFrom(...READINGS), at }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("another's message", "another's answer", "answer again", "edit", "todo", "another's todo", "file"),
      at,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("fact", "fact by a model", "fact by a key", "facts made one's own", "question by a key", "mail"),
      at,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("fork", "export and import"), at }) },
);

type Kind = Exclude<Step["kind"], "turn">;

const [FIRST, LAST] = [0, 1];
const turn = (reads: (typeof READINGS)[number] = "nothing", place = FIRST): Step => ({ kind: "turn", reads, at: place });
const then = (kind: Kind, place = LAST): Step => ({ kind, at: place });

/** Each way in which untrusted text comes, with what is beside it, and each in which it travels. */
const EXAMPLES: Step[][] = [
  READINGS.map((reads) => turn(reads)),
  [then("another's message", FIRST), then("another's answer", FIRST), then("file", FIRST), turn(), then("question by a key")],
  [then("question by a key"), then("answer again"), then("edit"), turn(), then("mail"), then("edit"), turn("nothing", LAST)],
  [then("todo"), turn("todo list"), turn("page of the web"), then("todo"), turn("todo list")],
  [then("another's todo"), turn("todo list"), then("todo", FIRST)],
  [then("fact"), then("fact by a model"), turn()],
  [turn("page of the web"), then("fact by a model"), turn()],
  [then("fact by a key"), turn()],
  [then("fact by a key"), then("facts made one's own"), turn()],
  [turn("tool that fails"), then("fork"), turn("nothing", LAST)],
  [turn(), then("fork"), turn("nothing", LAST)],
  [turn(), then("export and import"), then("edit")],
];

it("What is always allowed asks exactly where untrusted text is on its path, whatever happened before", async () => {
  const examples = new Set(EXAMPLES.map((steps) => JSON.stringify(steps)));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      // Nobody sends more than 30 messages a minute.
      const world = await makeWorld();
      const history = new History(world);
      await history.send(world.owner, null, {});
      await share(world.owner, history.chatId, world.other.email, "editor");
      for (const next of steps) await history.take(next);
      const answers = history.answers();
      const three = [answers.at(-1), answers[Math.floor(answers.length / 2)], answers[0]];
      for (const answer of new Set(examples.has(JSON.stringify(steps)) ? answers : three)) {
        if (!answer) continue;
        const after = { steps, place: answers.indexOf(answer) };
        const { asks, expected } = await history.probe(answer);
        expect({ ...after, asks }).toEqual({ ...after, asks: expected });
      }
    }),
    { ...cases({ sample: EXAMPLES.length + 2, full: 1_000 }), examples: EXAMPLES.map((steps): [Step[]] => [steps]) },
  );
}, 3_600_000);
