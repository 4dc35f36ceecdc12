import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask, button, chatAction, command, COMPOSER, enter, LAST_TURN, openSidebar, SIDEBAR, TURNS } from "../browsers/fixtures.ts";
import type { Tab } from "../browsers/tab.ts";
import type { Target } from "../browsers/target.ts";
import { expect, test } from "../browsers/test.ts";
import { hasSettled } from "../e2e/fixtures/axe.ts";
import { ADMIN, NEWCOMER, OWNER } from "./seed/people.ts";
import { folder, type Place, placeFile, type World } from "./world.ts";

type Open = (tab: Tab, world: World) => Promise<unknown>;
type Screen = { name: string; open: Open; as?: { email: string } };

/** An address that is opened, what is there once it is, and what is done then. */
const at =
  (path: string | ((world: World) => string), shown: Target, then?: (tab: Tab) => Promise<unknown>): Open =>
  async (tab, world) => {
    await tab.goto(typeof path === "string" ? path : path(world));
    await tab.see(shown);
    await then?.(tab);
  };

const MAIN_HEADING: Target = { role: "heading" };
const FOURTH_TURN: Target = { ...TURNS, nth: 3 };
const STUDIO: Target = { role: "treeitem", name: "Studio", within: SIDEBAR };
const chat = (id: keyof World, then?: (tab: Tab) => Promise<unknown>, shown: Target = { ...TURNS, nth: 1 }) =>
  at((world) => `/c/${world[id]}`, shown, then);
const home = (then: (tab: Tab) => Promise<unknown>) => at("/", COMPOSER, then);

const settings = (pane: string): Screen => ({
  name: `settings-${pane}`,
  open: at(`/?settings=${pane}`, { role: "tabpanel" }),
  as: OWNER,
});

/** What the palette of commands offers. */
const offered = (name: string, label: string): Screen => ({
  name: `dialog-${name}`,
  open: home(async (tab) => {
    await command(tab, label);
    await tab.see({ role: "dialog", name: label });
  }),
  as: OWNER,
});

/** The chat with tables, a part of which is brought to the top. */
const tables = (part: string, then?: (tab: Tab) => Promise<unknown>) =>
  chat("tablesChat", async (tab) => {
    const scrollToTop = async ([element]: HTMLElement[]) => {
      element?.scrollIntoView({ behavior: "instant" });
      // A transcript that still settles takes it back.
      await new Promise((resolve) => setTimeout(resolve, 700));
      return Math.abs(element?.getBoundingClientRect().top ?? Infinity);
    };
    await expect.poll(() => tab.look({ css: part, within: LAST_TURN }, scrollToTop)).toBeLessThan(200);
    await then?.(tab);
  });

const folders = (then: (tab: Tab) => Promise<unknown>) =>
  at("/", { css: "*" }, async (tab) => {
    await openSidebar(tab);
    await tab.click({ role: "tab", name: "Chats", within: SIDEBAR });
    await tab.see(STUDIO);
    await then(tab);
  });

/** Screens in which each kind of thing that the product draws is met at least once. */
const SCREENS: readonly Screen[] = [
  { name: "sign-in", open: at("/auth/login", button("Send code")) },
  { name: "home-guest", open: at("/", COMPOSER) },
  { name: "home-empty", open: at("/", COMPOSER), as: NEWCOMER },
  { name: "home", open: at("/", { css: "*", text: "waits for approval" }), as: OWNER },
  { name: "sidebar", open: async (tab) => tab.goto("/").then(() => openSidebar(tab)), as: OWNER },
  {
    name: "sidebar-folders",
    open: folders(async (tab) => {
      await tab.look(STUDIO, ([row]) => row?.focus());
      await tab.press("ArrowRight");
      await tab.see({ ...STUDIO, name: "Offers and invoices" });
    }),
    as: OWNER,
  },
  {
    name: "sidebar-folder-opened",
    open: folders(async (tab) => {
      await tab.click(STUDIO);
      await tab.see({ role: "heading", name: "Studio", within: SIDEBAR });
    }),
    as: OWNER,
  },
  { name: "chat", open: chat("chat", undefined, FOURTH_TURN), as: OWNER },
  {
    name: "chat-top",
    // As a person does it: what only scrolls is brought back to the end. More than once, as what is measured on the way moves what stands below it.
    open: chat(
      "chat",
      async (tab) => {
        const place = async () => {
          await tab.evaluate(() => document.querySelector("[role=log]")?.parentElement?.focus());
          await tab.press("Home");
          return tab.evaluate(() => document.querySelector("[role=log]")?.parentElement?.scrollTop);
        };
        await expect.poll(place).toBe(0);
      },
      FOURTH_TURN,
    ),
    as: OWNER,
  },
  { name: "chat-code", open: chat("codeChat", undefined, { role: "img", name: /^Diagram: / }), as: OWNER },
  { name: "chat-formula", open: tables("p:has(math)"), as: OWNER },
  {
    name: "chat-wide-table",
    open: tables("p:has(+ .table-frame)", (tab) =>
      tab.look({ css: ".table-frame > :first-child", nth: 0 }, ([box]) => box?.scrollTo(40, 0)),
    ),
    as: OWNER,
  },
  { name: "chat-stuck-head", open: tables("tr:nth-child(24)"), as: OWNER },
  { name: "chat-compared", open: chat("comparedChat"), as: OWNER },
  { name: "chat-checked", open: chat("checkedChat"), as: OWNER },
  { name: "chat-imported", open: chat("importedChat"), as: OWNER },
  { name: "chat-memory", open: chat("memoryChat"), as: OWNER },
  { name: "chat-mail", open: chat("mailChat"), as: OWNER },
  { name: "chat-failed-turn", open: chat("failedChat"), as: OWNER },
  { name: "chat-waiting", open: chat("waitingChat", undefined, button("Approve")), as: OWNER },
  { name: "chat-shared", open: chat("sharedChat"), as: OWNER },
  { name: "chat-menu", open: chat("chat", (tab) => tab.click(button("Chat actions")), FOURTH_TURN), as: OWNER },
  {
    name: "chat-share",
    open: chat("chat", async (tab) => {
      await chatAction(tab, "Share");
      await tab.see({ role: "dialog", name: "Share chat" });
    }),
    as: OWNER,
  },
  {
    name: "chat-offline",
    // In an account of its own: what waits goes out in the end.
    as: { email: "ivo@nordlicht.example" },
    open: async (tab) => {
      await tab.goto("/");
      await tab.until("the service worker", () => navigator.serviceWorker.controller?.state === "activated");
      await ask(tab, "say Larch it is: the offers differ by 4 %.");
      await tab.see(button("Chat actions"));
      await tab.setOffline(true);
      await tab.fill(COMPOSER, "And what does it cost by the metre?");
      await tab.press("Enter");
      await tab.see({ ...TURNS, text: "Will be sent when you're back online" });
      await tab.see({ css: "*", role: "status", text: "You're offline." });
    },
  },
  { name: "search", open: home((tab) => tab.press("Control", "k").then(() => tab.see({ role: "option" }))), as: OWNER },
  { name: "models", open: home((tab) => tab.click(button(/^Switch model/)).then(() => tab.see({ role: "option" }))), as: OWNER },
  { name: "tools", open: home((tab) => tab.click(button(/^Select tools/)).then(() => tab.see({ role: "option" }))), as: OWNER },
  offered("personas", "Manage Personas"),
  offered("prompts", "Manage prompts"),
  offered("knowledge", "Manage knowledge"),
  { name: "artifact", open: at((world) => `/artifacts/${world.artifact}`, { css: "*", text: "Edited" }), as: OWNER },
  { name: "artifacts", open: at("/artifacts", MAIN_HEADING), as: OWNER },
  { name: "approvals", open: at("/approvals", button("Edit")), as: OWNER },
  { name: "schedules", open: at("/schedules", MAIN_HEADING), as: OWNER },
  ...["general", "appearance", "usage", "models", "tools", "memory", "keys", "teams"].map(settings),
  { name: "invitation", open: at((world) => world.invitation, { role: "dialog", name: "Team Invitation" }), as: NEWCOMER },
  { name: "shared-persona", open: at((world) => world.personaLink, { role: "dialog" }), as: NEWCOMER },
  { name: "public-page", open: at((world) => `/p/${world.publicChat}`, { role: "article" }) },
  { name: "admin", open: at("/admin", MAIN_HEADING), as: ADMIN },
];

/** Whether nothing came or went for a while: what waits until a page rests comes in pieces. */
function isQuiet(): Promise<boolean> {
  return new Promise((resolve) => {
    const changes = new MutationObserver(() => end(false));
    const timer = setTimeout(() => end(true), 700);
    const end = (answer: boolean) => {
      changes.disconnect();
      clearTimeout(timer);
      resolve(answer);
    };
    changes.observe(document, { childList: true, subtree: true });
  });
}

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
      await tab.until("nothing to come any more", isQuiet);
      await tab.until("all to be at rest", hasSettled);
      writeFileSync(join(folder(), `${name}-${width}-${driven}-${theme}.png`), await tab.driver.screenshot());
      await tab.setOffline(false);
    }
  });
}
