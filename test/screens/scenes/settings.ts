import { change, cutOff, fail, hold, scene } from "../scene.ts";
import { stretched } from "../stretched.ts";

const PLACES = [
  "general",
  "profile",
  "triggered",
  "emails",
  "notifications",
  "usage",
  "keys",
  "signins",
  "browsers",
  "data",
  "memory",
  "memory-import",
  "models",
];
/** Panes that ask for what they show. */
const READ = new Set([
  "triggered",
  "emails",
  "notifications",
  "usage",
  "keys",
  "signins",
  "browsers",
  "data",
  "memory",
  "models",
  "tools",
  "teams",
]);
/** All that is asked for but who is here. */
const ASKED = /\/api\/(?!auth|live)/;

for (const place of [...PLACES, "appearance", "tools", "teams", "new-team"]) {
  const path = `/?settings=${place}`;
  scene(`settings-${place}`, async (page) => void (await page.goto(path)));
  scene(`settings-${place}-empty`, async (page) => void (await page.goto(path)), { as: "newcomer" });
  scene(
    `settings-${place}-loading`,
    async (page) => {
      await hold(page, ASKED);
      await page.goto(path);
    },
    { isLoading: true },
  );
  scene(`settings-${place}-failing`, async (page) => {
    await fail(page, ASKED);
    await page.goto(path);
    if (READ.has(place))
      await page
        .getByRole("button", { name: /^Try again/ })
        .first()
        .waitFor();
  });
  scene(`settings-${place}-long`, async (page) => {
    await change(page, /\/api\/(?!auth\/(?!session)|live|chats|inbox|models|tool)/, stretched);
    await page.goto(path);
  });
}
/** The ledger has today alone: a month as an account of that age sees it. */
scene("settings-usage-month", async (page) => {
  await change(page, /\/api\/usage\?/, (body) => {
    const days = Array.from({ length: 30 }, (_, ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10));
    const usage = days.map((day, n) => ({ key: day, label: day, cost: ((n * 7) % 11) / 40, calls: 1 + ((n * 7) % 11) }));
    return { ...body, usage, total: usage.reduce((sum, { cost }) => sum + cost, 0) };
  });
  await page.goto("/?settings=usage");
});
scene("fresh-sign-in", async (page) => {
  const stale = { status: 403, json: { error: "Sign in again.", code: "FRESH_SIGN_IN_REQUIRED" } };
  await page.route("**/api/account/export", (route) => (route.request().method() === "POST" ? route.fulfill(stale) : route.fallback()));
  await page.goto("/?settings=data");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
});
scene("settings-usage-no-network", async (page) => {
  await cutOff(page, ASKED);
  await page.goto("/?settings=usage");
});
