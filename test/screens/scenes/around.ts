import type { Page } from "@playwright/test";
import { withSidebar } from "../open.ts";
import { change, fail, hold, scene } from "../scene.ts";
import { stretched } from "../stretched.ts";

/** Opens what the profile's menu offers. */
async function menuItem(page: Page, name: string): Promise<void> {
  await withSidebar(page);
  await page
    .getByRole("navigation", { name: "Chats" })
    .getByRole("button", { name: /^Profile/ })
    .click();
  await page.getByRole("menuitem", { name }).click();
  await page.getByRole("dialog").last().waitFor();
}

for (const [name, label, requests] of [
  ["whatsapp", "WhatsApp setup", /\/api\/whatsapp/],
  ["about", "About", /\/api\/feedback/],
  ["feedback", "Send feedback", /\/api\/feedback/],
] as const) {
  scene(name, (page) => menuItem(page, label));
  if (name === "whatsapp") scene("whatsapp-unlinked", (page) => menuItem(page, label), { as: "newcomer" });
  scene(`${name}-failing`, async (page) => {
    await fail(page, requests);
    await menuItem(page, label);
  });
}
scene(
  "whatsapp-loading",
  async (page) => {
    await hold(page, /\/api\/whatsapp/);
    await menuItem(page, "WhatsApp setup");
  },
  { isLoading: true },
);
scene("feedback-refused", async (page) => {
  await fail(page, /\/api\/feedback/);
  await menuItem(page, "Send feedback");
  await page.getByRole("dialog").getByRole("textbox").fill("The list of tags forgets its order.");
  await page.getByRole("button", { name: "Send", exact: true }).last().click();
});

const INVITES = /\/api\/invites/;
async function openInvites(page: Page): Promise<void> {
  await page.goto("/admin");
  await page.getByRole("button", { name: "Invites", exact: true }).first().click();
  await page.getByRole("dialog").waitFor();
}
scene("invites", openInvites, { as: "admin" });
scene(
  "invites-failing",
  async (page) => {
    await fail(page, INVITES);
    await openInvites(page);
  },
  { as: "admin" },
);
scene(
  "invites-long",
  async (page) => {
    await change(page, INVITES, stretched);
    await openInvites(page);
  },
  { as: "admin" },
);

scene("invites-member", async (page) => {
  await withSidebar(page);
  const button = page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Invites" });
  if (await button.isVisible()) await button.click();
  else await menuItem(page, "Invites");
  await page.getByRole("dialog", { name: "Invites" }).waitFor();
});
scene(
  "invites-team-plan",
  async (page) => {
    await openInvites(page);
    await page.getByRole("dialog").getByText("Team plan", { exact: true }).first().click();
  },
  { as: "admin" },
);
scene(
  "invites-empty",
  async (page) => {
    await change(page, INVITES, (body) => ({ ...body, invites: [] }));
    await openInvites(page);
  },
  { as: "admin" },
);
scene(
  "invites-loading",
  async (page) => {
    await hold(page, INVITES);
    await openInvites(page);
  },
  { as: "admin", isLoading: true },
);

for (const kind of ["personaLink", "promptLink", "knowledgeLink"] as const) {
  const requests = /\/api\/shared\//;
  scene(
    `arrival-${kind}-failing`,
    async (page, world) => {
      await fail(page, requests);
      await page.goto(world[kind]);
      await page.getByRole("dialog").waitFor();
    },
    { as: "newcomer" },
  );
  scene(
    `arrival-${kind}-long`,
    async (page, world) => {
      await change(page, requests, stretched);
      await page.goto(world[kind]);
      await page.getByRole("dialog").waitFor();
    },
    { as: "newcomer" },
  );
}
