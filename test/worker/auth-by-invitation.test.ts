import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createInvite } from "#shared/contracts/account/invites.ts";
import { cancelTeamInvitation, createTeam, listTeamInvitations, sendTeamInvitation } from "#shared/contracts/account/teams.ts";
import { askForCode, cookiesOf, newestToken, post, visitWith } from "#test/support/sign-in.ts";
import { newAddress, signInByMail, visitor } from "#test/support/worker.ts";

it("signing up by invitation refuses a new address without an invite, and lets an account in", async () => {
  const { email, user } = await signInByMail();
  const browser = visitor();
  const code = await askForCode(browser, email);
  const known = await visitWith({ SIGNUP: "invite" }, "/api/auth/email/verify", post({ email, code }, cookiesOf(browser)));
  expect(await known.json()).toMatchObject({ user: { id: user.id } });
  const stranger = newAddress();
  const body = { email: stranger, code: await askForCode(browser, stranger) };
  const refused = await visitWith({ SIGNUP: "invite" }, "/api/auth/email/verify", post(body, cookiesOf(browser)));
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: "INVITE_REQUIRED" });
  expect(refused.headers.getSetCookie()).toEqual([]);
});

it("signing up by invitation lets in whom the deployment names as an administrator, who has nobody to be invited by", async () => {
  const [browser, email] = [visitor(), newAddress()];
  const body = { email, code: await askForCode(browser, email) };
  const vars = { SIGNUP: "invite", ADMIN_EMAILS: email };
  expect((await visitWith(vars, "/api/auth/email/verify", post(body, cookiesOf(browser)))).status).toBe(200);
});

it("signing up by invitation lets a new address in by an invite, once", async () => {
  const { invite } = await (await signInByMail()).take(createInvite, { body: {} });
  const statuses = [];
  for (const email of [newAddress(), newAddress()]) {
    const browser = visitor();
    const body = { email, code: await askForCode(browser, email), invite: invite.code };
    statuses.push((await visitWith({ SIGNUP: "invite" }, "/api/auth/email/verify", post(body, cookiesOf(browser)))).status);
  }
  expect(statuses).toEqual([200, 403]);
});

it("signing up by invitation keeps the code and the link of whoever has yet to give an invite", async () => {
  const { invite } = await (await signInByMail()).take(createInvite, { body: {} });
  const [browser, email] = [visitor(), newAddress()];
  const code = await askForCode(browser, email);
  const enter = async (path: string, body: object) => (await visitWith({ SIGNUP: "invite" }, path, post(body, cookiesOf(browser)))).status;
  expect(await enter("/api/auth/email/verify", { email, code })).toBe(403);
  const token = await newestToken(email);
  expect(await enter("/api/auth/email/link", { token })).toBe(403);
  expect(await enter("/api/auth/email/verify", { email, code, invite: "0000-0000-0000" })).toBe(403);
  expect(await enter("/api/auth/email/verify", { email, code, invite: invite.code })).toBe(200);
  expect(await enter("/api/auth/email/link", { token, invite: invite.code })).toBe(400);
});

it("signing up by invitation lets in an address that a team invites, while that invitation is open, and no other", async () => {
  const owner = await signInByMail();
  const { team } = await owner.take(createTeam, { body: { name: "Press" } });
  const enter = async (email: string) => {
    const browser = visitor();
    const body = { email, code: await askForCode(browser, email) };
    return (await visitWith({ SIGNUP: "invite" }, "/api/auth/email/verify", post(body, cookiesOf(browser)))).status;
  };
  const [invited, cancelled, late] = [newAddress(), newAddress(), newAddress()];
  for (const email of [invited, cancelled, late]) await owner.take(sendTeamInvitation, { body: { teamId: team.id, email } });
  const { invitations } = await owner.take(listTeamInvitations, { query: { teamId: team.id } });
  const invitationId = invitations.find(({ email }) => email === cancelled)?.id ?? "";
  await owner.take(cancelTeamInvitation, { body: { invitationId, status: "cancelled" } });
  await env.DB.prepare("UPDATE team_invitations SET expires_at = '2020-01-01' WHERE email = ?").bind(late).run();
  expect([await enter(newAddress()), await enter(cancelled), await enter(late), await enter(invited)]).toEqual([403, 403, 403, 200]);
});
