import { answered, ask, button, chatAction, COMPOSER, CONVERSATION, dialog, enter, field, link, TURNS } from "./fixtures.ts";
import { expect, journey } from "./test.ts";

/** Columns for which a phone is narrow. */
const FIGURES = [
  "| Setting | Power | One night in December | Nights on 640 Wh |",
  "|---|--:|--:|--:|",
  "| Full until 23:00, then half, and full again when somebody comes | 6.1 W | 98 Wh | 6.5 |",
].join("\n");

journey("a chat is shared with another person, who writes into it", async ({ tab, newTab }) => {
  const other = await newTab();
  const [, email] = [await enter(tab), await enter(other)];
  await tab.goto("/");
  await ask(tab, "say The harbour plan");
  await chatAction(tab, "Share");
  const share = dialog("Share chat");
  await tab.fill(field("Email", share), email);
  await tab.choose({ role: "combobox", name: "May", within: share }, "Editor");
  await tab.click(button("Share", share));
  await tab.see({ role: "listitem", text: email, within: share });
  await tab.click(button("Done", share));
  await tab.lack(share);

  await other.goto(await tab.path());
  await other.see({ ...CONVERSATION, text: "The harbour plan" });
  await ask(other, "say Seen by both");
  await tab.see({ ...TURNS, text: "Seen by both", nth: 1 });
  await answered(tab);
});

journey("a chat is published, read by a visitor and taken back", async ({ tab, newTab, allowConsole }) => {
  allowConsole(/404/);
  await enter(tab);
  await tab.goto("/");
  await ask(tab, `say Everyone may **read** this, $x^2$\n\n${FIGURES}`);
  await chatAction(tab, "Publish");
  const publish = dialog(/^Publish/);
  await tab.click(button("Publish", publish));
  await tab.see(field("Public link", publish));
  const address = await tab.look(field("Public link", publish), ([shown]) => (shown instanceof HTMLInputElement ? shown.value : ""));
  await tab.click(button("Copy", publish));
  await tab.see(button("Copied", publish));

  const visitor = await newTab();
  const path = new URL(address).pathname;
  await visitor.goto(path);
  const last = { role: "article", nth: -1 };
  await visitor.see({ css: "math", within: last });
  expect(await visitor.texts({ css: "strong", within: last })).toEqual(["read"]);
  expect(await visitor.look({ css: "td.right", within: last }, countLines)).toEqual([1, 1, 1]);
  await visitor.click(button("About"));
  await visitor.see({ ...dialog("About Polylogue"), text: "One chat with every model." });
  await visitor.press("Escape");
  await visitor.lack(dialog("About Polylogue"));
  await visitor.click(button("Continue in my own copy"));
  await visitor.see(field("Email"));
  expect(await visitor.path()).toBe(`/auth/login?returnUrl=${encodeURIComponent(`${path}/continue`)}`);

  await tab.click(button("Unpublish", publish));
  await tab.see(button("Publish", publish));
  await visitor.goto(path);
  await visitor.see({ role: "heading" });
  expect(await visitor.count({ role: "article" })).toBe(0);
  await visitor.goto("/");
  await visitor.see(COMPOSER);
  await visitor.lack(link(/Everyone may/));
});

/** How many lines each of these takes. */
function countLines(elements: HTMLElement[]): number[] {
  return elements.map((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size;
  });
}
