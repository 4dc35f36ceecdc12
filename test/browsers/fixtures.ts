import { expect } from "@playwright/test";
import { newAddress } from "../e2e/fixtures/sign-in.ts";
import { newestCode } from "../support/mailbox.ts";
import { SESSION_COOKIE } from "../support/seed-account.ts";
import { until } from "../support/until.ts";
import type { Tab } from "./tab.ts";
import type { Target } from "./target.ts";

export const button = (name: string | RegExp, within?: Target): Target => ({ role: "button", name, ...(within && { within }) });
export const link = (name: string | RegExp, within?: Target): Target => ({ role: "link", name, ...(within && { within }) });
export const field = (name: string | RegExp, within?: Target): Target => ({ role: "textbox", name, ...(within && { within }) });
export const dialog = (name: string | RegExp): Target => ({ role: "dialog", name });

export const COMPOSER = field("Message");
export const CONVERSATION: Target = { role: "log", name: "Conversation" };
export const TURNS: Target = { role: "article", within: CONVERSATION };
export const SIDEBAR: Target = { role: "navigation", name: "Chats" };
export const LAST_TURN: Target = { ...TURNS, nth: -1 };

function mailedCode(email: string): Promise<string> {
  return until(`the code mailed to ${email}`, () => newestCode(process.env["E2E_URL"] ?? "", email));
}

/** Signs in on the login page by a mailed code. */
export async function signIn(tab: Tab, email = newAddress()): Promise<string> {
  await tab.goto("/auth/login?returnUrl=%2F");
  await tab.fill(field("Email"), email);
  await tab.click(button("Send code"));
  await tab.see(field("Code"));
  // The last digit sends the code.
  await tab.fill(field("Code"), await mailedCode(email));
  await tab.until("the start page", () => location.pathname === "/");
  await tab.see(COMPOSER);
  return email;
}

/** Signs in without a page and without a mail, for journeys about something else. */
export async function enter(tab: Tab, email = newAddress()): Promise<string> {
  const answer = await fetch(process.env["E2E_ACCOUNTS"] ?? "", { method: "POST", body: email });
  if (!answer.ok) throw new Error(`No session is seeded: ${await answer.text()}`);
  // A page of this origin without any code.
  await tab.goto("/robots.txt");
  const setCookie = (cookie: string) => void (document.cookie = cookie);
  await tab.evaluate(setCookie, `${SESSION_COOKIE}=${await answer.text()}; Path=/; SameSite=Lax`);
  return email;
}

/** Calls the API as the person of this window. */
export function callApi(tab: Tab, method: string, path: string, body: unknown): Promise<unknown> {
  return tab.evaluate(
    async (how, where, what) => {
      const response = await fetch(where, { method: how, headers: { "content-type": "application/json" }, body: JSON.stringify(what) });
      if (!response.ok) throw new Error(`${how} ${where}: ${response.status} ${await response.text()}`);
      return (await response.json()) as unknown;
    },
    method,
    path,
    body,
  );
}

/** Sends a message in the open chat or in one of its own, and waits for the end of the answer; `meanwhile` happens once that is begun. */
export async function ask(tab: Tab, text: string, meanwhile?: () => Promise<void>): Promise<void> {
  const before = await tab.count(TURNS);
  await tab.fill(COMPOSER, text);
  await tab.press("Enter");
  await tab.until("a chat's page", () => location.pathname.startsWith("/c/"));
  await tab.see({ ...TURNS, nth: Math.max(before, 0) + 1 });
  await meanwhile?.();
  await answered(tab);
}

/** Waits until the latest answer is finished. */
export async function answered(tab: Tab): Promise<void> {
  await tab.see({ css: "button:enabled", role: "button", name: "Regenerate", within: LAST_TURN });
  await tab.lack(button("Stop"));
}

/** Brings the way between chats into view, which is a drawer on small windows. */
export async function openSidebar(tab: Tab): Promise<void> {
  const opener = button("Open sidebar");
  await tab.until("the sidebar or its button", () => document.querySelector("nav, [aria-label='Open sidebar']") !== null);
  if ((await tab.count(SIDEBAR)) > 0) return;
  await tab.click(opener);
  await tab.see(SIDEBAR);
}

/** Does one of the things that the open chat's menu offers. */
export async function chatAction(tab: Tab, name: string): Promise<void> {
  await tab.click(button("Chat actions"));
  await tab.click({ role: "menuitem", name });
}

/** Chooses what the palette of commands offers. */
export async function command(tab: Tab, name: string): Promise<void> {
  await tab.press("Control", "k");
  await tab.focused({ role: "combobox", name: "Search" });
  await tab.type(name.toLowerCase());
  // Chats that are found as well may stand above it.
  await tab.click({ role: "option", text: name });
}

/** Writes so many lines into a field, which grows until all of them are in sight. */
export async function writesLines(tab: Tab, target: Target, count: number): Promise<void> {
  await tab.fill(target, "one");
  const heightOf = () => tab.look(target, ([area]) => area?.clientHeight ?? 0);
  const before = await heightOf();
  await tab.fill(target, Array.from({ length: count }, (_, line) => `Line ${line + 1}`).join("\n"));
  await expect.poll(heightOf).toBeGreaterThan(before);
  expect(await tab.look(target, ([area]) => area !== undefined && area.scrollHeight <= area.clientHeight)).toBe(true);
}
