import type { Page } from "@playwright/test";
import { command } from "../open.ts";
import { fail, scene } from "../scene.ts";

/** Presses one of the settings' buttons. */
async function press(page: Page, pane: string, name: string | RegExp): Promise<void> {
  await page.goto(`/?settings=${pane}`);
  await page.getByRole("dialog", { name: "Settings" }).getByRole("button", { name, exact: true }).first().click();
}

scene("form-mcp", (page) => press(page, "tools", "Add connection"));
scene("form-mcp-tested", async (page) => {
  await press(page, "tools", "Add connection");
  const form = page.getByRole("form", { name: "Add connection" });
  await form.getByLabel("Name", { exact: true }).fill("Zotero library");
  await form.getByLabel("Server URL").fill(`${process.env["E2E_MCP"]}/everything/mcp`);
  await form.getByRole("button", { name: "Test", exact: true }).click();
  await form.getByText(/^Connected, \d+ tools found$/).waitFor();
});
scene("form-mcp-refused", async (page) => {
  await press(page, "tools", "Add connection");
  await page.getByRole("form", { name: "Add connection" }).getByRole("button", { name: "Add connection" }).click();
});
scene("form-mcp-edit", (page) => press(page, "tools", "Edit Everything"));
scene("form-tools-open", (page) => press(page, "tools", /^Email/));
scene("form-key", (page) => press(page, "keys", "New key"));
scene("form-delete-account", (page) => press(page, "data", "Delete"));
scene("form-delete-account-failing", async (page) => {
  await fail(page, /\/api\/user\/deletion/);
  await press(page, "data", "Delete");
});
scene("form-memory-edit", (page) => press(page, "memory", /^Edit/));

for (const [name, label, item] of [
  ["persona", "Manage Personas", "Lighting engineer"],
  ["prompt", "Manage prompts", "Weekly review"],
] as const) {
  scene(`form-${name}`, async (page) => {
    await command(page, label);
    await page
      .getByRole("dialog", { name: label })
      .getByRole("button", { name: name === "persona" ? "Create New Persona" : "Create New Prompt" })
      .click();
  });
  scene(`form-${name}-edit`, async (page) => {
    await command(page, label);
    await page
      .getByRole("dialog", { name: label })
      .getByRole("button", { name: `Edit ${item}` })
      .click();
  });
}

for (const [name, action] of [
  ["folder", "Move to folder…"],
  ["tags", "Tags…"],
] as const) {
  scene(`form-${name}`, async (page, { chat }) => {
    await page.goto(`/c/${chat}`);
    await page.getByRole("main").getByRole("button", { name: "Chat actions" }).click();
    await page.getByRole("menuitem", { name: action }).click();
  });
}

for (const [name, button] of [
  ["edit", "Edit team"],
  ["usage", "Usage and budgets"],
] as const) {
  scene(`form-team-${name}`, async (page) => {
    await page.goto("/?settings=teams");
    const settings = page.getByRole("dialog", { name: "Settings" });
    const team = settings.getByRole("button", { name: /^Nordlicht Studio/ });
    const pressed = settings.getByRole("button", { name: button });
    await team.or(pressed).first().waitFor();
    // On phones the teams stand alone until one is chosen.
    if (!(await pressed.isVisible())) await team.click();
    await pressed.click();
  });
}
scene(
  "form-whatsapp",
  async (page) => {
    await page.goto("/?setup=whatsapp");
    await page.getByRole("dialog").waitFor();
  },
  { as: "newcomer" },
);
