import type { Page } from "@playwright/test";
import { sidebar } from "../e2e/fixtures/chat.ts";

/** Opens a page with the way between chats in view, which is a drawer on small windows. */
export async function withSidebar(page: Page, path = "/"): Promise<void> {
  await page.goto(path);
  const button = page.getByRole("button", { name: "Open sidebar" });
  await button.or(sidebar(page)).first().waitFor();
  if (await button.isVisible()) await button.click();
}

/** Shows one of the lists between which the sidebar's tabs choose. */
export async function openList(page: Page, name: string): Promise<void> {
  await withSidebar(page);
  await page.getByRole("tab", { name, exact: true }).click();
}

/** Opens a chat, and one of the things that its menu offers. */
export async function chatAction(page: Page, chatId: string, name: string): Promise<void> {
  await page.goto(`/c/${chatId}`);
  await page.getByRole("button", { name: "Chat actions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
  await page.getByRole("dialog").waitFor();
}

/** Opens what the palette of commands offers. */
export async function command(page: Page, name: string): Promise<void> {
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill(name);
  await page.getByRole("option", { name, exact: true }).click();
  await page.getByRole("dialog", { name }).waitFor();
}
