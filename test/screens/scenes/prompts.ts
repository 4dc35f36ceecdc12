import type { Page } from "@playwright/test";
import { composer, turns } from "../../e2e/fixtures/chat.ts";
import { change, fail, hold, scene } from "../scene.ts";
import { stretched } from "../stretched.ts";
import type { World } from "../world.ts";

const PROMPTS = /\/api\/template-messages/;

/** Writes behind a slash in a chat. */
async function write(page: Page, { chat }: World, text = "/"): Promise<void> {
  await page.goto(`/c/${chat}`);
  await turns(page).nth(3).waitFor();
  await composer(page).fill(text);
}

/** Takes a prompt from the list. */
async function take(page: Page, world: World, name: string): Promise<void> {
  await write(page, world);
  await page.getByRole("option", { name: new RegExp(`^${name}`) }).click();
  await page.getByRole("dialog", { name }).waitFor();
}

scene("prompt-use", async (page, world) => {
  await write(page, world);
  await page.getByRole("option", { name: /^Tender answer/ }).hover();
  await page
    .getByText("shorten it by a fifth")
    .or(page.getByRole("listbox", { name: "Prompts" }))
    .first()
    .waitFor();
});
scene("prompt-use-found", (page, world) => write(page, world, "/te"));
scene(
  "prompt-use-empty",
  async (page) => {
    await page.goto("/");
    await composer(page).fill("/");
  },
  { as: "newcomer" },
);
scene(
  "prompt-use-guest",
  async (page) => {
    await page.goto("/");
    await composer(page).fill("/");
  },
  { as: "guest" },
);
scene(
  "prompt-use-loading",
  async (page, world) => {
    await hold(page, PROMPTS);
    await write(page, world);
  },
  { isLoading: true },
);
scene("prompt-use-failing", async (page, world) => {
  await fail(page, PROMPTS);
  await write(page, world);
  await page.getByText("could not be loaded").waitFor();
});
scene("prompt-use-long", async (page, world) => {
  await change(page, PROMPTS, stretched);
  await write(page, world);
});
scene("prompt-use-form", async (page, world) => {
  await take(page, world, "Tender answer");
  const form = page.getByRole("dialog", { name: "Tender answer" });
  await form.getByLabel("client").fill("Hamburg City Archive");
  await form.getByLabel("question").fill("How will readers with impaired sight use the reading room site, and how do you prove it?");
});
scene("prompt-use-form-empty", (page, world) => take(page, world, "Tender answer"));
scene("prompt-use-form-long", async (page, world) => {
  const names = Array.from({ length: 12 }, (_, n) => `What the committee of the harbour promenade wants to know, ${n + 1}`);
  const content = names.map((name) => `{{${name.replace(",", "")}}}`).join("\n\n");
  await change(page, /\/api\/template-messages\/[\da-f-]{36}/, ({ prompt }) => ({ prompt: { ...Object(prompt), content } }));
  await take(page, world, "Shorten");
});
scene("prompt-use-form-home", async (page) => {
  await page.goto("/");
  await composer(page).fill("/");
  await page.getByRole("option", { name: /^Tender answer/ }).click();
  await page.getByRole("dialog", { name: "Tender answer" }).waitFor();
});
