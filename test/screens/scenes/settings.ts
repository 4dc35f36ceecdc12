import { scene } from "../scene.ts";

const PLACES = ["general", "profile", "triggered", "emails", "notifications", "usage", "keys", "data", "memory", "memory-import", "models"];

for (const place of [...PLACES, "appearance", "tools", "teams", "new-team"]) {
  scene(`settings-${place}`, async (page) => void (await page.goto(`/?settings=${place}`)));
}
