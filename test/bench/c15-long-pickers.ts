import type { Page } from "@playwright/test";
import * as z from "zod";
import { LIBRARY_FORMAT, LIBRARY_VERSION } from "#shared/library/library.ts";
import { PERSONAS_MAX, PROMPTS_MAX } from "#shared/limits.ts";
import type { BenchServer, BenchUser } from "../../scripts/lib/bench/bench-server.ts";
import type { Bench, Figure } from "./figure.ts";
import { openProbe } from "./page-probe.ts";
import { makeUsers } from "./seed.ts";

const SLOWDOWN = 4;
const Opened = z.object({ frames: z.number(), ms: z.number() });

/** What opens a list, in the page's own words, and what stands in it. */
const LISTS = [
  {
    name: `${PERSONAS_MAX} personas`,
    open: `document.querySelector("button[aria-label='Switch persona']").click()`,
    list: "[role=listbox][aria-label='Personas'] [role=option]",
  },
  {
    name: `${PROMPTS_MAX.toLocaleString("en")} prompts behind /`,
    open: `document.querySelector("[data-composer] textarea").focus(), document.execCommand("insertText", false, "/")`,
    list: "[role=listbox][aria-label='Prompts'] [role=option]",
  },
];

/** The pickers of somebody who has as many personas and prompts as there may be, opened at a quarter of the speed. */
export const bench: Bench = {
  id: "C15",
  title: `Pickers of ${PERSONAS_MAX} personas and ${PROMPTS_MAX} prompts`,
  async measure({ serve, browser, runs }) {
    const server = await serve();
    const [user] = await makeUsers(server, 1);
    if (!user) throw new Error("No user was made.");
    await fill(server, user);
    const figures: Figure[] = [];
    for (const { name, open, list } of LISTS) {
      const frames: Figure = { name: `${name}: frames until they stand there`, unit: "frames", values: [], target: 1, isTime: true };
      const time: Figure = { name: `${name}: from opening to their frame`, unit: "ms", values: [], target: null, isTime: true };
      for (let run = 0; run < runs; run += 1) {
        const probe = await openProbe(await browser(), { server, user, slowdown: SLOWDOWN });
        await probe.page.goto("/");
        await probe.page.getByRole("list", { name: "Prompts" }).waitFor();
        await probe.page.waitForLoadState("networkidle");
        // The first opening fetches the code, as a pointer on its way there does.
        await openList(probe.page, open, list);
        await probe.page.keyboard.press("Escape");
        await probe.page.locator(list).first().waitFor({ state: "detached" });
        await probe.page.getByRole("textbox", { name: "Message" }).fill("");
        const opened = await openList(probe.page, open, list);
        frames.values.push(opened.frames);
        time.values.push(opened.ms);
        await probe.close();
      }
      figures.push(frames, time);
    }
    return figures;
  },
};

/** Opens a list from within the page; answers the frames that were drawn up to the one with its rows, and the time until then. */
async function openList(page: Page, open: string, list: string): Promise<z.infer<typeof Opened>> {
  return Opened.parse(
    await page.evaluate(`new Promise((resolve) => requestAnimationFrame(() => {
      let frames = 0;
      const start = performance.now();
      ${open};
      const next = () => {
        frames += 1;
        if (document.querySelector(${JSON.stringify(list)})) setTimeout(() => resolve({ frames, ms: performance.now() - start }));
        else requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    }))`),
  );
}

async function fill(server: BenchServer, user: BenchUser): Promise<void> {
  const sentence = "an answer of so many words for whoever asks about this, in the tone that they like best. ";
  const named = (kind: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `${kind} ${n + 1} of many`, content: sentence.repeat(1 + (n % 7)) }));
  const response = await fetch(`${server.origin}/api/library`, {
    method: "POST",
    headers: { cookie: user.cookie, origin: server.origin, "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
    body: JSON.stringify({
      format: LIBRARY_FORMAT,
      version: LIBRARY_VERSION,
      exported_at: new Date().toISOString(),
      // One is there already.
      personas: named("Persona", PERSONAS_MAX - 1),
      prompts: named("Prompt", PROMPTS_MAX).map((prompt) => ({ ...prompt, tool_categories: null, persona: null, model_id: null })),
    }),
  });
  if (!response.ok) throw new Error(`The import answered ${response.status}: ${(await response.text()).slice(0, 300)}`);
}
