import { expect, type Page } from "@playwright/test";
import { awaitCodeAt } from "../../support/phones.ts";
import { callApi } from "../../e2e/fixtures/api.ts";

const NUMBER = "+4915112345678";
const KEYS = [
  { name: "Code editor", scopes: ["ask", "models"], budget: 5 },
  { name: "Nightly report of the studio", scopes: ["chats", "artifacts", "prompts"], budget: null },
];
const INVITES = [
  { sent_to: "Hanna Voss", team_plan: true, initial_credits: 20 },
  { sent_to: "Press day, Lisbon", solo_plan: true, initial_credits: 5 },
  { sent_to: null, initial_credits: 5, auto_activate: false },
];

/** What reaches the account from outside: keys of other programs, WhatsApp and Google. */
export async function makeOutside(owner: Page): Promise<void> {
  const post = (path: string, body: unknown) => callApi(owner, { method: "POST", path, body });
  for (const key of KEYS) await post("/api/keys", { id: crypto.randomUUID(), ...key });
  await post("/api/whatsapp/setup/start", { phoneNumber: NUMBER });
  await post("/api/whatsapp/setup/verify", { code: await awaitCodeAt(process.env["E2E_URL"] ?? "", NUMBER) });
  await owner.goto("/?settings=tools");
  const google = owner.getByRole("group", { name: "Google", exact: true });
  await google.getByRole("button", { name: "Connect", exact: true }).click();
  await owner.getByRole("button", { name: "Continue" }).click();
  await expect(google.getByText("Connected", { exact: true })).toBeVisible();
}

/** Invites that an administrator made. */
export async function makeInvites(admin: Page): Promise<void> {
  for (const body of INVITES) await callApi(admin, { method: "POST", path: "/api/invites", body });
}
