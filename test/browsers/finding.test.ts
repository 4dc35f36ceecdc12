import { ask, button, callApi, COMPOSER, CONVERSATION, dialog, enter, field, openSidebar, SIDEBAR } from "./fixtures.ts";
import type { Tab } from "./tab.ts";
import type { Target } from "./target.ts";
import { expect, journey } from "./test.ts";

const row = (title: string): Target => ({ role: "link", name: title, within: SIDEBAR });
const folder = (name: string): Target => ({ role: "treeitem", name, within: SIDEBAR });

journey("folders are made, filled by hand and from a chat's menu, and opened", async ({ tab, width }) => {
  await enter(tab);
  for (const title of ["Invoices of May", "Garden plan"]) await callApi(tab, "POST", "/api/chats", { id: crypto.randomUUID(), title });
  await tab.goto("/");
  await openSidebar(tab);
  await tab.click({ role: "tab", name: "Chats", within: SIDEBAR });
  await tab.see(row("Garden plan"));
  for (const name of ["Work", "Home"]) {
    await tab.click(button("List options", SIDEBAR));
    await tab.click({ role: "menuitem", name: "New folder" });
    await tab.focused(field("Folder name", SIDEBAR));
    await tab.type(name);
    await tab.press("Enter");
    await tab.see(folder(name));
  }
  if (width >= 768) await tab.drag(row("Invoices of May"), folder("Work"));
  else await moveByMenu(tab, "Invoices of May", "Work");
  await tab.lack(row("Invoices of May"));
  await moveByMenu(tab, "Garden plan", "Home");
  await tab.lack(row("Garden plan"));
  await tab.click(folder("Work"));
  await tab.see(row("Invoices of May"));
  expect(await tab.count(row("Garden plan"))).toBe(0);
  await tab.reload();
  await openSidebar(tab);
  await tab.see(folder("Home"));
});

async function moveByMenu(tab: Tab, title: string, to: string): Promise<void> {
  await tab.hover(row(title));
  await tab.click(button(`Actions for ${title}`, SIDEBAR));
  await tab.click({ role: "menuitem", name: /^Move to folder…/ });
  const search: Target = { role: "combobox", name: "Search folders" };
  await tab.see(search);
  // On a phone it leaves the keyboard closed.
  if ((await tab.evaluate(() => innerWidth)) >= 768) {
    await tab.focused(search);
    await tab.type(to);
  }
  await tab.click({ role: "option", name: to });
}

journey("what was said is found from the keyboard and landed on, and Back returns", async ({ tab, width }) => {
  await enter(tab);
  await tab.goto("/");
  await ask(tab, "say The heron nests by the crème weir");
  await tab.goto("/");
  await tab.see(COMPOSER);
  await tab.press("Control", "k");
  const search = dialog("Search");
  await tab.focused({ role: "combobox", name: "Search", within: search });
  expect(await tab.look({ role: "combobox", name: "Search", within: search }, hasRoomForHint)).toBe(true);
  await tab.see({ role: "option", text: "Switch model", within: search });
  // Where there is hardly a keyboard, none of its keys is named.
  expect((await tab.count({ css: "kbd", within: search })) > 0).toBe(width >= 768);
  await tab.type("heron creme");
  const found: Target = { role: "option", text: "heron", within: search };
  await tab.see({ css: "mark", text: "crème", within: found });
  await tab.press("Enter");
  await tab.lack(search);
  await tab.see({ ...CONVERSATION, text: "The heron nests by the crème weir" });
  expect(await tab.path()).toMatch(/^\/c\//);
  await tab.evaluate(() => history.back());
  await tab.until("the start page", () => location.pathname === "/");
  await tab.see(COMPOSER);
});

/** Whether what an empty field says is seen to its end. */
function hasRoomForHint([input]: HTMLElement[]): boolean {
  const drawing = document.createElement("canvas").getContext("2d");
  if (!(input instanceof HTMLInputElement) || !drawing) return false;
  const { fontStyle, fontWeight, fontSize, fontFamily } = getComputedStyle(input);
  drawing.font = `${fontStyle} ${fontWeight} ${fontSize} ${fontFamily}`;
  return drawing.measureText(input.placeholder).width <= input.clientWidth;
}
