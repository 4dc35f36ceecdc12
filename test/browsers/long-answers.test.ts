import * as z from "zod/mini";
import { ask, button, callApi, COMPOSER, CONVERSATION, enter, field, TURNS, writesLines } from "./fixtures.ts";
import type { Tab } from "./tab.ts";
import { expect, test } from "./test.ts";

const JUMP = button("Jump to latest");

const rows = (count: number, columns: string[]) => [
  `| ${columns.join(" | ")} |`,
  `|${columns.map(() => "---").join("|")}|`,
  ...Array.from({ length: count }, (_, row) => `| ${columns.map((column) => `${column} ${row + 1}`).join(" | ")} |`),
];

const code = (lines: number) => ["```ts", ...Array.from({ length: lines }, (_, line) => `book(pier, ${line});`), "```"];

/** What finds its height late: code that closes and is coloured, a table, a diagram, a picture to be asked for, and maths. */
const LONG = [
  "speed 600",
  "say ## The harbour plan",
  "",
  "It begins with the piers, each with berths of its own, and goes on to what they cost in a year.",
  "",
  ...code(45),
  "",
  ...rows(12, ["Pier", "Berth", "Price"]),
  "",
  "```mermaid",
  "flowchart TD",
  "A[Sea] --> B{Tide}",
  "B -->|high| C[Harbour]",
  "B -->|low| D[Roads]",
  "D --> B",
  "```",
  "",
  "![The harbour from above](https://pictures.test/harbour.png)",
  "",
  "$$\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}$$",
  "",
  ...code(12),
  "",
  "That is all there is to say about the piers.",
].join("\n");

for (const width of [1280, 390]) {
  test.describe(`at ${width} px`, () => {
    test.use({ width });

    test("long answers are followed to their very end, and left by the wheel", async ({ tab }) => {
      await enter(tab);
      await tab.goto("/");
      await tab.see(COMPOSER);
      await tab.evaluate(watchEnd);
      const height = await tab.evaluate(() => innerHeight);
      for (let n = 0; n < 3; n += 1) {
        await ask(tab, LONG, async () => {
          // As a keyboard on the screen does that opens and closes.
          if (n > 0) for (const part of [0.6, 1]) await tab.driver.resize(width, Math.round(height * part));
        });
        await tab.until("the end in view", isAtEnd);
      }
      // What was painted off the end for more than a frame would have been seen.
      const { frames, ...off } = await seen(tab);
      expect(off).toEqual({ jumps: 0, longest: 0 });
      expect(frames).toBeGreaterThan(20);

      // As a wheel is turned, which takes some events: a browser may scroll before the page hears of the first.
      for (let turn = 0; turn < 3; turn += 1) await tab.driver.wheel(width / 2, height / 2, -150);
      await tab.see(JUMP);
      await tab.click(JUMP);
      await tab.lack(JUMP);
      await tab.until("the end in view", isAtEnd);
    });

    test("a long table's head stays in sight as its rows pass", async ({ tab }) => {
      await enter(tab);
      await tab.goto("/");
      await ask(tab, `speed 3000\nsay ${rows(60, ["Pier", "Price"]).join("\n")}\n\n${"The end of it. ".repeat(80)}`);
      for (const share of [0, 0.3, 0.7]) {
        await tab.until(`the head above the rows, ${share} of them passed`, staysInPlace, share);
      }
      // However wide the bar is that scrolls it.
      if (width < 600) expect(await tab.look(CONVERSATION, edgeOf)).toBeCloseTo(16, 0);
    });

    test("fields grow with what is written in them", async ({ tab }) => {
      await enter(tab);
      await tab.goto("/");
      await writesLines(tab, COMPOSER, 6);
      await ask(tab, "say The harbour is open");
      await tab.hover({ ...TURNS, nth: 0 });
      await tab.click(button("Edit", { ...TURNS, nth: 0 }));
      await tab.focused(field("Edited text"));
      // Nothing of it is under the head.
      expect(await tab.look({ ...TURNS, nth: 0 }, distanceUnderTop)).toBeLessThanOrEqual(0);
      await writesLines(tab, field("Edited text"), 6);
      const made = z.object({ id: z.string() }).parse(await callApi(tab, "POST", "/api/artifacts", { title: "Lisbon", content: "" }));
      await tab.goto(`/artifacts/${made.id}`);
      await tab.until("the editor to have the focus", () => document.activeElement?.getAttribute("role") === "textbox");
      await tab.fill(
        field("Title"),
        "What the office in Lisbon costs in a year, what it would cost to leave it before the end of its lease, and what all of that would be in Porto",
      );
      await tab.until("the title's lines to be in sight", showsAll, "Title");
    });
  });
}

/**
 * Notes in the page, from frame to frame, for how many frames in a row what is painted is off the end, and whether a way back is offered.
 * After a frame and before the next one sizes may have changed that nobody has seen yet: such a moment says nothing.
 */
function watchEnd(): void {
  const seenOffEnd = { frames: 0, jumps: 0, longest: 0 };
  Object.assign(window, { seenOffEnd });
  let run = 0;
  let watched: Element | null = null;
  let painted = "";
  const sizeOf = ({ scrollHeight, clientHeight }: Element) => `${scrollHeight} ${clientHeight}`;
  const sizes = new ResizeObserver(() => (painted = watched ? sizeOf(watched) : ""));
  const channel = new MessageChannel();
  channel.port1.addEventListener("message", () => {
    const box = document.querySelector("[role=log]")?.parentElement;
    if (!box?.firstElementChild) return;
    if (box !== watched) {
      watched = box;
      sizes.disconnect();
      for (const part of [box, box.firstElementChild]) sizes.observe(part);
    }
    if (sizeOf(box) !== painted) return;
    seenOffEnd.frames += 1;
    run = box.scrollHeight - box.clientHeight - box.scrollTop > 1 ? run + 1 : 0;
    seenOffEnd.longest = Math.max(seenOffEnd.longest, run - 1);
    if (Array.from(document.querySelectorAll("button")).some(({ textContent }) => textContent === "Jump to latest")) seenOffEnd.jumps += 1;
  });
  channel.port1.start();
  const next = () => {
    requestAnimationFrame(next);
    // After the frame.
    channel.port2.postMessage(null);
  };
  next();
}

const Seen = z.object({ frames: z.number(), jumps: z.number(), longest: z.number() });

async function seen(tab: Tab): Promise<z.infer<typeof Seen>> {
  return Seen.parse(await tab.evaluate(() => Reflect.get(window, "seenOffEnd") as unknown));
}

function isAtEnd(): boolean {
  const box = document.querySelector("[role=log]")?.parentElement;
  return box !== null && box !== undefined && box.scrollHeight > 1_500 && box.scrollHeight - box.clientHeight - box.scrollTop <= 1;
}

/** Brings so much of the table above the transcript's edge, and tells whether its head stands there then. */
async function staysInPlace(share: number): Promise<boolean> {
  const box = document.querySelector("[role=log]")?.parentElement;
  const table = box?.querySelector("table");
  if (!box || !table?.tHead) return false;
  const topOf = (element: Element) => element.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.scrollTop += topOf(table) - 8 + share * table.offsetHeight;
  for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
  const head = topOf(table.tHead);
  return share === 0 ? Math.abs(head - topOf(table)) <= 1 : topOf(table) < -100 && Math.abs(head) <= 1;
}

/** How much of a turn is above what shows the transcript, in px. */
async function distanceUnderTop([turn]: HTMLElement[]): Promise<number> {
  for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
  const top = turn?.closest("[role=log]")?.parentElement?.getBoundingClientRect().top;
  return Math.round((top ?? Infinity) - (turn?.getBoundingClientRect().top ?? 0));
}

function showsAll(label: string): boolean {
  const area = document.querySelector<HTMLTextAreaElement>(`textarea[aria-label="${label}"]`);
  return area !== null && area.clientHeight > 50 && area.scrollHeight <= area.clientHeight;
}

/** Where text begins in what runs over the whole window, from its left edge. */
function edgeOf([box]: HTMLElement[]): number {
  return box ? box.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(box).paddingLeft) : Number.NaN;
}
