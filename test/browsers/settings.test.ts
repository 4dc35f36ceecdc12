import { button, COMPOSER, dialog, enter, openSidebar } from "./fixtures.ts";
import type { Tab } from "./tab.ts";
import { expect, journey } from "./test.ts";

const SETTINGS = dialog("Settings");

journey("settings are opened, a theme is chosen and kept, and Back leads to where one was", async ({ tab }) => {
  await enter(tab);
  await tab.goto("/");
  await tab.see(COMPOSER);
  await openSidebar(tab);
  await tab.click(button(/^Profile: /));
  await tab.click({ role: "menuitem", name: /^Settings/ });
  await tab.see({ role: "tabpanel", name: "General", within: SETTINGS });
  await tab.click({ role: "tab", name: "Appearance", within: SETTINGS });
  await tab.click({ role: "radio", name: "Dark", within: SETTINGS });
  await tab.until("the dark theme", () => document.documentElement.dataset["theme"] === "dark");
  await tab.reload();
  expect(await theme(tab)).toBe("dark");
  await tab.see(SETTINGS);
  for (const name of ["Models", "General", "Appearance"]) {
    await tab.click({ role: "tab", name, within: SETTINGS });
    await tab.see({ role: "tabpanel", name, within: SETTINGS });
  }
  await tab.click({ role: "radio", name: "Light", within: SETTINGS });
  await tab.until("the light theme", () => document.documentElement.dataset["theme"] === "light");
  await tab.evaluate(() => history.back());
  await tab.lack(SETTINGS);
  await tab.see(COMPOSER);
});

function theme(tab: Tab): Promise<string | undefined> {
  return tab.evaluate(() => document.documentElement.dataset["theme"]);
}
