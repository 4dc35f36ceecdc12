import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { button, chatAction, COMPOSER, enter, openSidebar, TURNS } from "../browsers/fixtures.ts";
import type { Tab } from "../browsers/tab.ts";
import type { Target } from "../browsers/target.ts";
import { expect, test } from "../browsers/test.ts";
import { hasSettled } from "../e2e/fixtures/axe.ts";
import { NEWCOMER, OWNER } from "./seed/people.ts";
import { folder, type Place, placeFile, type World } from "./world.ts";

type Screen = { name: string; open: (tab: Tab, world: World) => Promise<void>; as?: { email: string } };

/** An address that is opened, and what is there once it is. */
const at =
  (path: string | ((world: World) => string), shown: Target) =>
  async (tab: Tab, world: World): Promise<void> => {
    await tab.goto(typeof path === "string" ? path : path(world));
    await tab.see(shown);
  };

const MAIN_HEADING: Target = { role: "heading" };
const FOURTH_TURN: Target = { ...TURNS, nth: 3 };
const SETTINGS: Target = { role: "tabpanel" };
const chat = (id: keyof World) => at((world) => `/c/${world[id]}`, { ...TURNS, nth: 1 });

/** Screens in which each kind of thing that the product draws is met at least once. */
const SCREENS: readonly Screen[] = [
  { name: "sign-in", open: at("/auth/login", button("Send code")) },
  { name: "home-empty", open: at("/", COMPOSER), as: NEWCOMER },
  { name: "home", open: at("/", { css: "*", text: "waits for approval" }), as: OWNER },
  { name: "sidebar", open: async (tab) => tab.goto("/").then(() => openSidebar(tab)), as: OWNER },
  { name: "chat", open: at((world) => `/c/${world.chat}`, FOURTH_TURN), as: OWNER },
  {
    name: "chat-top",
    open: async (tab, world) => {
      await at(`/c/${world.chat}`, FOURTH_TURN)(tab, world);
      // As a person does it: what only scrolls is brought back to the end. More than once, as what is measured on the way moves what stands below it.
      const place = async () => {
        await tab.evaluate(() => document.querySelector("[role=log]")?.parentElement?.focus());
        await tab.press("Home");
        return tab.evaluate(() => document.querySelector("[role=log]")?.parentElement?.scrollTop);
      };
      await expect.poll(place).toBe(0);
    },
    as: OWNER,
  },
  { name: "chat-code", open: at((world) => `/c/${world.codeChat}`, { role: "img", name: /^Diagram: / }), as: OWNER },
  { name: "chat-compared", open: chat("comparedChat"), as: OWNER },
  { name: "chat-mail", open: chat("mailChat"), as: OWNER },
  { name: "chat-waiting", open: at((world) => `/c/${world.waitingChat}`, button("Approve")), as: OWNER },
  { name: "chat-shared", open: chat("sharedChat"), as: OWNER },
  {
    name: "chat-share",
    open: async (tab, world) => {
      await at(`/c/${world.chat}`, FOURTH_TURN)(tab, world);
      await chatAction(tab, "Share");
      await tab.see({ role: "dialog", name: "Share chat" });
    },
    as: OWNER,
  },
  {
    name: "search",
    open: async (tab, world) => {
      await at("/", COMPOSER)(tab, world);
      await tab.press("Control", "k");
      await tab.see({ role: "option" });
    },
    as: OWNER,
  },
  { name: "artifact", open: at((world) => `/artifacts/${world.artifact}`, { css: "*", text: "Edited" }), as: OWNER },
  { name: "artifacts", open: at("/artifacts", MAIN_HEADING), as: OWNER },
  { name: "schedules", open: at("/schedules", MAIN_HEADING), as: OWNER },
  { name: "settings-general", open: at("/?settings=general", SETTINGS), as: OWNER },
  { name: "settings-usage", open: at("/?settings=usage", SETTINGS), as: OWNER },
  { name: "settings-models", open: at("/?settings=models", SETTINGS), as: OWNER },
  { name: "public-page", open: at((world) => `/p/${world.publicChat}`, { role: "article" }) },
];

const THEMES = (process.env["SCREENS_THEMES"] ?? "light").split(",");
const LOADED_MS = 15_000;

for (const { name, open, as } of SCREENS) {
  test(name, async ({ tab, driven, allowConsole }) => {
    // A picture is what is asked for; the journeys hear what is said.
    allowConsole(/./);
    const place: Place = JSON.parse(readFileSync(placeFile(), "utf8"));
    if (as) await enter(tab, as.email);
    mkdirSync(folder(), { recursive: true });
    await tab.goto("/auth/login");
    for (const [theme, width] of THEMES.flatMap((named) => [1440, 390].map((wide) => [named, wide] as const))) {
      await tab.driver.resize(width, width < 768 ? 844 : 900);
      await tab.evaluate((chosen) => localStorage.setItem("theme", JSON.stringify(chosen)), theme);
      await open(tab, place.world);
      // Nothing stands in for what is still to come.
      const bars = () => document.querySelectorAll("span[aria-hidden].block.rounded-6.bg-s3").length;
      await expect.poll(() => tab.evaluate(bars), { timeout: LOADED_MS }).toBe(0);
      await tab.evaluate(() => document.fonts.ready.then(() => true));
      await tab.until("all to be at rest", hasSettled);
      writeFileSync(join(folder(), `${name}-${width}-${driven}-${theme}.png`), await tab.driver.screenshot());
    }
  });
}
