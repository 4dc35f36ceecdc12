import type { Page } from "@playwright/test";
import { sidebar } from "../../e2e/fixtures/chat.ts";
import { withSidebar } from "../open.ts";
import { change, hold, scene } from "../scene.ts";
import { stretched } from "../stretched.ts";

const TEAMS = /\/api\/teams(\?|$)/;

async function openSwitcher(page: Page): Promise<void> {
  await withSidebar(page);
  await sidebar(page)
    .getByRole("button", { name: /^Workspace: / })
    .click();
  await page.getByRole("menuitemradio").first().waitFor();
}

async function choose(page: Page, name: string): Promise<void> {
  await openSwitcher(page);
  await page.getByRole("menuitemradio", { name: new RegExp(`^${name} `) }).click();
  await page.getByRole("menu").waitFor({ state: "detached" });
}

scene("workspace-switcher", openSwitcher);
scene("workspace-switcher-team", async (page) => {
  await choose(page, "Nordlicht Studio");
  await openSwitcher(page);
});
scene("workspace-switcher-long", async (page) => {
  await change(page, TEAMS, stretched);
  await openSwitcher(page);
});
scene("workspace-switcher-rail", async (page) => {
  await withSidebar(page);
  const collapse = page.getByRole("button", { name: "Collapse sidebar" });
  if (await collapse.isVisible()) await collapse.click();
  await sidebar(page)
    .getByRole("button", { name: /^Workspace: / })
    .click();
  await page.getByRole("menuitemradio").first().waitFor();
});
scene("workspace-team-home", async (page) => {
  await choose(page, "Nordlicht Studio");
  await page.goto("/");
  await page.getByRole("heading", { name: "Nordlicht Studio" }).waitFor();
});
scene(
  "workspace-team-home-loading",
  async (page) => {
    await choose(page, "Nordlicht Studio");
    await hold(page, /\/api\/(chats|inbox|live|teams)/);
    await page.goto("/");
    await page.getByRole("heading", { name: "Nordlicht Studio" }).waitFor();
  },
  { isLoading: true },
);
