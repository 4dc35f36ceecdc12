import * as z from "zod/mini";
import { button, callApi, COMPOSER, enter, field, openSidebar, SIDEBAR } from "./fixtures.ts";
import type { Tab } from "./tab.ts";
import type { Target } from "./target.ts";
import { expect, journey } from "./test.ts";

const PREVIEW: Target = { role: "region", name: "Preview" };
const SOURCE = field("Artifact text");

journey("an artifact is begun, written in its editor, seen in its preview and kept", async ({ tab }) => {
  await enter(tab);
  await tab.goto("/");
  await openSidebar(tab);
  await tab.click({ role: "tab", name: "Artifacts" });
  await tab.click(button("New Artifact"));
  await tab.until("the artifact's page", () => /^\/artifacts\/[0-9a-f-]{36}$/.test(location.pathname));
  await tab.focused(SOURCE);
  await tab.type("## What it costs\n\nThe rent of two rooms is 21,600.\n");
  await tab.fill(field("Title"), "Lisbon office");
  await tab.press("Enter");
  await tab.see({ role: "status", text: /^Saved$/ });
  await showPreview(tab);
  await tab.see({ role: "heading", name: "What it costs", within: PREVIEW });
  await tab.see({ css: "p", text: "The rent of two rooms is 21,600.", within: PREVIEW });
  await tab.reload();
  await showPreview(tab);
  await tab.see({ css: "p", text: "The rent of two rooms is 21,600.", within: PREVIEW });
  await openSidebar(tab);
  await tab.click({ role: "tab", name: "Artifacts" });
  await tab.see({ role: "link", name: /Lisbon office/, within: SIDEBAR });
});

journey(
  "a page of one's own asks before its scripts run in its frame, and what goes wrong in it is told",
  async ({ tab, allowConsole }) => {
    allowConsole(/missing is not defined|find variable: missing/);
    await enter(tab);
    const content = "```html\n<p>Noon</p><script>missing()</script>\n```\n";
    const made = z.object({ id: z.string() }).parse(await callApi(tab, "POST", "/api/artifacts", { title: "Clock", content }));
    await tab.goto(`/artifacts/${made.id}`);
    await tab.see({ css: "iframe", within: PREVIEW });
    await tab.see(button("Run scripts"));
    await tab.lack({ role: "alert" });
    await tab.click(button("Run scripts"));
    await tab.see({ role: "alert", text: "missing" });
    await tab.lack(button("Run scripts"));
    await tab.click(button("Ask a model to mend it"));
    await tab.see(COMPOSER);
    expect(await tab.look(COMPOSER, ([box]) => (box instanceof HTMLTextAreaElement ? box.value : ""))).toContain(`/artifacts/${made.id}`);
  },
);

async function showPreview(tab: Tab): Promise<void> {
  await tab.see(field("Title"));
  if ((await tab.count(PREVIEW)) > 0) return;
  await tab.click(button("Artifact actions"));
  await tab.click({ role: "menuitem", name: "Preview" });
}
