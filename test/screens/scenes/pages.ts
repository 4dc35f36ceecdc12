import { change, fail, hold, scene } from "../scene.ts";
import { LONG_TITLE, LONG_WORD } from "../seed/titles.ts";

for (const [name, path, requests] of [
  ["approvals", "/approvals", /\/api\/(approvals|tool-calls)/],
  ["artifacts", "/artifacts", /\/api\/artifacts/],
  ["schedules", "/schedules", /\/api\/schedules/],
] as const) {
  scene(name, async (page) => void (await page.goto(path)));
  scene(`${name}-empty`, async (page) => void (await page.goto(path)), { as: "newcomer" });
  scene(
    `${name}-loading`,
    async (page) => {
      await hold(page, requests);
      await page.goto(path);
    },
    { isLoading: true },
  );
  scene(`${name}-failing`, async (page) => {
    await fail(page, requests);
    await page.goto(path);
  });
}
scene("artifacts-long", async (page) => {
  await change(page, /\/api\/artifacts\?/, (body) => ({ ...body, artifacts: many(body["artifacts"]) }));
  await page.goto("/artifacts");
});
for (const [name, button] of [
  ["preview", "Preview"],
  ["editor", "Editor"],
  ["both", "Side by side"],
] as const) {
  scene(`artifact-${name}`, async (page, { artifact }) => {
    await page.goto(`/artifacts/${artifact}`);
    await page.getByText("Edited").first().waitFor();
    // Small windows have another way between them.
    const way = page
      .getByRole("button", { name: button })
      .or(page.getByRole("radio", { name: button }))
      .first();
    if (await way.isVisible()) await way.click();
  });
}
scene("artifact-failing", async (page, { artifact }) => {
  await fail(page, /\/api\/artifacts\//);
  await page.goto(`/artifacts/${artifact}`);
});
scene(
  "artifact-loading",
  async (page, { artifact }) => {
    await hold(page, /\/api\/artifacts\//);
    await page.goto(`/artifacts/${artifact}`);
  },
  { isLoading: true },
);
scene("artifact-lost", async (page) => void (await page.goto(`/artifacts/${crypto.randomUUID()}`)));
scene("artifact-history", async (page, { artifact }) => {
  await page.goto(`/artifacts/${artifact}`);
  await page
    .getByRole("button", { name: /history|versions/i })
    .first()
    .click();
});
scene("artifact-share", async (page, { artifact }) => {
  await page.goto(`/artifacts/${artifact}`);
  await page.getByText("Edited").first().waitFor();
  const button = page.getByRole("button", { name: "Share", exact: true });
  if (await button.isVisible()) return button.click();
  await page
    .getByRole("button", { name: /actions/i })
    .last()
    .click();
  await page.getByRole("menuitem", { name: "Share" }).click();
});

scene("public-page", async (page, { publicChat }) => void (await page.goto(`/p/${publicChat}`)), { as: "guest", isFullPage: true });
scene("public-page-lost", async (page) => void (await page.goto(`/p/${crypto.randomUUID()}`)), { as: "guest" });
scene("public-page-owner", async (page, { publicChat }) => void (await page.goto(`/c/${publicChat}`)));
scene("sign-in", async (page) => void (await page.goto("/auth/login")), { as: "guest" });
scene(
  "sign-in-code",
  async (page) => {
    await page.goto("/auth/login");
    await page.getByRole("textbox", { name: "Email" }).fill("somebody.with.a.long.address@lighting-and-wayfinding.example");
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByRole("textbox", { name: "Code" }).waitFor();
  },
  { as: "guest" },
);
scene(
  "sign-in-failing",
  async (page) => {
    await fail(page, /\/api\/auth\/email/);
    await page.goto("/auth/login");
    await page.getByRole("textbox", { name: "Email" }).fill("somebody@example.com");
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByRole("alert").first().waitFor();
  },
  { as: "guest" },
);
scene("not-found", async (page) => void (await page.goto("/no-such-page")));
scene("changelog", async (page) => void (await page.goto("/changelog")), { as: "guest" });
scene("goodbye", async (page) => void (await page.goto("/goodbye")), { as: "guest" });
for (const kind of ["personaLink", "promptLink", "knowledgeLink"] as const) {
  scene(`arrival-${kind}`, async (page, world) => void (await page.goto(world[kind])), { as: "newcomer" });
}
scene("admin", async (page) => void (await page.goto("/admin")), { as: "admin" });

/** Artifacts with long names. */
function many(artifacts: unknown): unknown[] {
  if (!Array.isArray(artifacts)) throw new Error("A list of artifacts was expected.");
  return Array.from({ length: 40 }, (_, n) => ({
    ...artifacts[n % artifacts.length],
    id: crypto.randomUUID(),
    title: n % 2 === 0 ? LONG_TITLE : LONG_WORD,
  }));
}
