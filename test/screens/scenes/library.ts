import { command } from "../open.ts";
import { change, hold, scene } from "../scene.ts";
import { stretched } from "../stretched.ts";

for (const [name, label, requests] of [
  ["personas", "Manage Personas", /\/api\/user-system-prompts/],
  ["prompts", "Manage prompts", /\/api\/template-messages/],
  ["knowledge", "Manage knowledge", /\/api\/user-contexts/],
] as const) {
  scene(
    `dialog-${name}-loading`,
    async (page) => {
      await hold(page, requests);
      await command(page, label);
    },
    { isLoading: true },
  );
  scene(`dialog-${name}-long`, async (page) => {
    await change(page, requests, stretched);
    await command(page, label);
  });
}
scene("deeplinks", (page) => command(page, "Deeplink builder"));
scene("shortcuts", async (page) => {
  await page.goto("/");
  await page.getByRole("textbox", { name: "Message", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: "Search" }).fill("Keyboard shortcuts");
  await page.getByRole("option", { name: /^Keyboard shortcuts/ }).click();
});
