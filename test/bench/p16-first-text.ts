import type { Browser, Page } from "@playwright/test";
import * as z from "zod";
import type { BenchServer } from "../../scripts/lib/bench/bench-server.ts";
import { openFarServer } from "./far-server.ts";
import { type Bench, type Figure, median } from "./figure.ts";
import { openProbe } from "./page-probe.ts";

/** How much slower than the processor, and when the first words stand there at the latest, in milliseconds. */
const PACES = [
  { slowdown: 1, newChat: 200, openChat: 90 },
  { slowdown: 4, newChat: 600, openChat: 250 },
];
/** What is put between browser and server, in milliseconds there and back. */
const ROUND_TRIP_MS = 80;
/** One round trip more than without it, with room for what times differ by; two would be twice that. */
const ROUND_TRIPS = 1.5;
/** Between two keys of somebody who types fast, in milliseconds. */
const KEY_MS = 30;

type Waited = { newChat: number; openChat: number };

/** From Enter to the first words of the answer on the screen, of a model that answers at once: a visitor's first message, and their second. */
export const bench: Bench = {
  id: "P16",
  title: "Enter to the first words",
  async measure({ serve, browser, runs }) {
    const server = await serve();
    // What the server loads with its first question is not the page's.
    await timeFirstTexts(await browser(), { server, slowdown: 1 });
    const figures: Figure[] = [];
    let near: Waited[] = [];
    for (const { slowdown, newChat, openChat } of PACES) {
      const waits = await repeat(runs, async () => timeFirstTexts(await browser(), { server, slowdown }));
      if (slowdown === 1) near = waits;
      figures.push(...toFigures(`x${slowdown}`, waits, { newChat, openChat }));
    }
    const far = await openFarServer(server.origin, ROUND_TRIP_MS);
    const waits = await repeat(runs, async () =>
      timeFirstTexts(await browser(), { server: { ...server, origin: far.origin }, slowdown: 1 }),
    );
    far.close();
    figures.push(...toFigures(`${ROUND_TRIP_MS} ms away`, waits, { newChat: null, openChat: null }));
    for (const [name, of] of [["new", newChatOf] as const, ["open", openChatOf] as const]) {
      const values = waits.map((wait) => (of(wait) - median(near.map(of))) / ROUND_TRIP_MS);
      figures.push({ name: `round trips that ${name} chat takes`, unit: "x", values, target: ROUND_TRIPS, isTime: true });
    }
    return figures;
  },
};

const newChatOf = ({ newChat }: Waited) => newChat;
const openChatOf = ({ openChat }: Waited) => openChat;

function toFigures(name: string, waits: Waited[], target: { newChat: number | null; openChat: number | null }): Figure[] {
  const shared = { unit: "ms" as const, isTime: true };
  return [
    { ...shared, name: `${name}, new chat`, values: waits.map(newChatOf), target: target.newChat },
    { ...shared, name: `${name}, open chat`, values: waits.map(openChatOf), target: target.openChat },
  ];
}

async function repeat<T>(runs: number, act: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  for (let run = 0; run < runs; run += 1) all.push(await act());
  return all;
}

/** Asks twice in a browser that knows nothing yet. */
async function timeFirstTexts(browser: Browser, options: { server: BenchServer; slowdown: number }): Promise<Waited> {
  const { page, close } = await openProbe(browser, options);
  await page.addInitScript(measureFirstText);
  await page.goto("/");
  const newChat = await ask(page, "Lanterns");
  const openChat = await ask(page, "Harbours");
  await close();
  return { newChat, openChat };
}

/** Types a question once the page is at rest, sends it right after its last letter, and returns how long its answer's first words took. */
async function ask(page: Page, word: string): Promise<number> {
  await page.waitForLoadState("networkidle");
  await page.getByRole("textbox", { name: "Message", exact: true }).focus();
  await page.keyboard.type(`say ${word}`, { delay: KEY_MS });
  await page.evaluate((awaited) => Object.assign(window, { __words: { awaited, ms: null } }), word);
  await page.keyboard.press("Enter");
  const waited = await page.waitForFunction(() => Object(Reflect.get(window, "__words")).ms);
  await page.getByRole("button", { name: "Regenerate", exact: true, disabled: false }).last().waitFor();
  return z.number().parse(await waited.jsonValue());
}

/** Runs in the page, before anything of its own: times from the latest Enter to the frame with the answer's first words. */
function measureFirstText(): void {
  let enteredAt = 0;
  addEventListener("keydown", ({ key, timeStamp }) => void (enteredAt = key === "Enter" ? timeStamp : enteredAt), { capture: true });
  const look = () => {
    const wanted: { awaited: string; ms: number | null } | undefined = Reflect.get(window, "__words");
    if (wanted?.ms === null && isShown(wanted.awaited)) {
      const { port1, port2 } = new MessageChannel();
      // Behind the painting of the frame that the words are in.
      port1.addEventListener("message", () => void (wanted.ms ??= performance.now() - enteredAt), { once: true });
      port1.start();
      port2.postMessage(null);
    }
    requestAnimationFrame(look);
  };
  const isShown = (word: string) => {
    const text = [...document.querySelectorAll("[role=log] article")].at(-1)?.textContent ?? "";
    return text.includes(word) && !text.includes(`say ${word}`);
  };
  look();
}
