import type { Page } from "@playwright/test";
import { mailsTo } from "../../support/mailbox.ts";
import { until } from "../../support/until.ts";
import { callApi } from "../../e2e/fixtures/api.ts";
import { COLLEAGUES, NEWCOMER, OWNER } from "./people.ts";

/** A team of the owner's with members and open invitations; answers its id and the link of the invitation that waits for the newcomer. */
export async function makeTeam(owner: Page, colleagues: Page[]): Promise<{ team: string; invitation: string }> {
  const post = (path: string, body: unknown) => callApi(owner, { method: "POST", path, body });
  const team = crypto.randomUUID();
  await post("/api/teams", { id: team, name: "Nordlicht Studio", description: "Lighting for quays, bridges and old towns." });
  for (const [n, { email }] of COLLEAGUES.entries()) {
    await post("/api/teams/invitations/send", { teamId: team, email });
    const page = colleagues[n];
    const token = (await mailedLink(email)).slice("/?team_invite=".length);
    if (page) await callApi(page, { method: "POST", path: `/api/teams/invitations/${token}`, body: {} });
  }
  await post("/api/teams/invitations/send", { teamId: team, email: "inga.bergstroem@example.org" });
  await post("/api/teams/invitations/send", { teamId: team, email: NEWCOMER.email });
  await joinAnother(owner, colleagues);
  return { team, invitation: await mailedLink(NEWCOMER.email) };
}

/** A team of a colleague's, in which the owner is one of the members. */
async function joinAnother(owner: Page, [, , colleague]: Page[]): Promise<void> {
  if (!colleague) return;
  const post = (path: string, body: unknown) => callApi(colleague, { method: "POST", path, body });
  const teamId = crypto.randomUUID();
  await post("/api/teams", { id: teamId, name: "Open Archive group", description: "People from nine archives." });
  await post("/api/teams/invitations/send", { teamId, email: OWNER.email });
  const token = (await mailedLink(OWNER.email)).slice("/?team_invite=".length);
  await callApi(owner, { method: "POST", path: `/api/teams/invitations/${token}`, body: {} });
}

/** The invitation's path in the newest mail to an address that has one. */
function mailedLink(email: string): Promise<string> {
  return until("the invitation's mail", async () => {
    const links = (await mailsTo(process.env["E2E_URL"] ?? "", email)).map(({ text }) => text.match(/\/\?team_invite=\S+/)?.[0]);
    return links.find((link) => link !== undefined);
  });
}
