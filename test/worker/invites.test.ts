import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { startEmailSignIn, verifyEmailSignIn } from "#shared/contracts/account/auth.ts";
import { createInvite, labelInvite, listInvites, redeemInvite, returnInvite } from "#shared/contracts/account/invites.ts";
import { createTeam, listTeams } from "#shared/contracts/account/teams.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { getUser } from "#shared/contracts/account/users.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { mailsTo, newestCode } from "#test/support/mailbox.ts";
import { newAddress, type Person, refusal, signIn, visitor } from "#test/support/worker.ts";
import { findOpenInvite, initialAccountFields } from "#worker/people/invites/redeem.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { createAccount } from "#worker/people/users/users.ts";

const db = openDatabase(env.DB);

/** Who administers the tests' deployment. */
let administrator: Promise<Person> | undefined;
function admin(): Promise<Person> {
  administrator ??= signIn(visitor(), "admin@example.com");
  return administrator;
}

async function signUpWith(invite: string) {
  const client = visitor();
  const email = newAddress();
  await client.take(startEmailSignIn, { body: { email, invite } });
  const code = (await newestCode(env.MAILBOX_SIMULATOR, email)) ?? "";
  const { user } = await client.take(verifyEmailSignIn, { body: { email, code, invite } });
  return { ...client, email, user };
}

afterEach(() => void vi.useRealTimers());

it("a member's invites are three a month of $5 each, refused then, and counted again when they are taken back", async () => {
  const person = await signIn();
  const { balance } = await person.take(listInvites, {});
  expect(balance).toMatchObject({ limit: 3, left: 3, made: 0, used: 0 });
  // All at once: counting and storing are one.
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => person.call(createInvite, { body: {} })));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
  expect(await person.call(createInvite, { body: {} })).toMatchObject({
    status: 403,
    error: { code: "NO_INVITES_LEFT", error: "No invites remaining this month" },
  });
  const { invites } = await person.take(listInvites, {});
  expect(invites.map(({ initial_credits: credits, auto_activate: isActive }) => [credits, isActive])).toEqual([
    [5, true],
    [5, true],
    [5, true],
  ]);
  expect(new Set(invites.map(({ code }) => code)).size).toBe(3);
  for (const { code } of invites) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{12}$/);
  const [first] = invites;
  if (!first) throw new Error("No invite was listed.");
  await person.take(labelInvite, { params: { id: first.id }, body: { sent_to: " Hanna Voss " } });
  expect((await person.take(listInvites, {})).invites[0]).toMatchObject({ sent_to: "Hanna Voss" });
  const stranger = await signIn();
  expect(refusal(await stranger.call(labelInvite, { params: { id: first.id }, body: { sent_to: "Mine" } }))).toBe("NOT_FOUND");
  expect(refusal(await stranger.call(returnInvite, { params: { id: first.id } }))).toBe("NOT_FOUND");
  await person.take(returnInvite, { params: { id: first.id } });
  expect((await person.take(createInvite, { body: {} })).balance).toMatchObject({ left: 0, made: 3 });
});

it("a member's invites come anew with the month, whatever was left", async () => {
  const person = await signIn();
  for (let made = 0; made < 3; made += 1) await person.take(createInvite, { body: {} });
  const { balance } = await person.take(listInvites, {});
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(balance.resets_at ?? 0) });
  expect((await person.take(listInvites, {})).balance).toMatchObject({ left: 3, made: 0 });
  expect((await person.take(createInvite, { body: {} })).balance.left).toBe(2);
});

it("a member's invites choose nothing of what they give", async () => {
  const person = await signIn();
  for (const body of [{ team_plan: true }, { solo_plan: true }, { initial_credits: 20 }, { team_id: crypto.randomUUID() }]) {
    expect(refusal(await person.call(createInvite, { body }))).toBe("FORBIDDEN");
  }
  expect((await person.take(listInvites, {})).invites).toEqual([]);
});

it("an administrator's invites have no limit, and options that are checked", async () => {
  const { call, take } = await admin();
  for (let made = 0; made < 4; made += 1) await take(createInvite, { body: {} });
  expect((await take(listInvites, {})).balance).toMatchObject({ limit: null, left: null });
  expect(await call(createInvite, { body: { team_plan: true, solo_plan: true } })).toMatchObject({
    error: { error: "An invite has the team plan or the solo plan, not both." },
  });
  for (const credits of [-1, 1.5, 1_001]) {
    expect(refusal(await call(createInvite, { body: { initial_credits: credits } }))).toBe("INVALID_INPUT");
  }
  expect(refusal(await call(createInvite, { body: { team_id: crypto.randomUUID() } }))).toBe("TEAM_NOT_FOUND");
  const { invite } = await take(createInvite, { body: { solo_plan: true, initial_credits: 0 } });
  expect(invite).toMatchObject({ solo_plan: true, team_plan: false, initial_credits: 0 });
  expect((await (await admin()).take(getUser, {})).user.is_admin).toBe(true);
  expect((await signIn()).user.is_admin).toBe(false);
});

it("an administrator's invites open an account with plan, team and credits, whose own invites are none", async () => {
  const boss = await admin();
  const { team } = await boss.take(createTeam, { body: { name: "Press" } });
  const { invite } = await boss.take(createInvite, { body: { team_plan: true, team_id: team.id, initial_credits: 20 } });
  const newcomer = await signUpWith(showInviteCode(invite.code).toLowerCase());
  expect(newcomer.user).toMatchObject({ team_plan: true, solo_plan: false, credits: 20 });
  expect((await newcomer.take(listTeams, {})).teams).toMatchObject([{ id: team.id, user_role: "member" }]);
  expect((await newcomer.take(listInvites, {})).balance).toMatchObject({ limit: 0, left: 0, resets_at: null });
  expect(refusal(await newcomer.call(createInvite, { body: {} }))).toBe("NO_INVITES_LEFT");
  // Once more from another tab says what it brought; anybody else hears that it is used.
  expect(await newcomer.take(redeemInvite, { params: { code: invite.code }, body: {} })).toMatchObject({
    invite: { team_plan: true, used: "active", team_name: "Press" },
  });
  expect(refusal(await (await signIn()).call(redeemInvite, { params: { code: invite.code }, body: {} }))).toBe("INVITE_INVALID");
});

it("an administrator's invites without auto-activation leave the plan to an administrator", async () => {
  const boss = await admin();
  const { invite } = await boss.take(createInvite, { body: { solo_plan: true, auto_activate: false } });
  const newcomer = await signUpWith(invite.code);
  expect(newcomer.user).toMatchObject({ solo_plan: false, credits: 5 });
  expect(await newcomer.take(redeemInvite, { params: { code: invite.code }, body: {} })).toMatchObject({
    invite: { used: "waits" },
  });
});

it("an administrator's invites give an account that exists their plan and credits once, by the ledger", async () => {
  const boss = await admin();
  const person = await signIn();
  const { invite } = await boss.take(createInvite, { body: { team_plan: true, initial_credits: 20 } });
  const redeem = () => person.call(redeemInvite, { params: { code: invite.code }, body: {} });
  const answers = await Promise.all([redeem(), redeem(), redeem()]);
  expect(answers.some(({ ok }) => ok)).toBe(true);
  expect(await redeem()).toMatchObject({ ok: true, body: { invite: { team_plan: true, credits: 20, used: "active" } } });
  expect((await person.take(getUser, {})).user).toMatchObject({ team_plan: true, credits: 25 });
  expect((await person.take(getUsage, {})).credits).toBe(25);
});

it("an administrator's invites without plan or team open new accounts alone", async () => {
  const { invite } = await (await signIn()).take(createInvite, { body: {} });
  expect(refusal(await (await signIn()).call(redeemInvite, { params: { code: invite.code }, body: {} }))).toBe("INVITE_FOR_NEWCOMERS");
  expect((await signUpWith(invite.code)).user.credits).toBe(5);
});

describe("a code", () => {
  const opening = async (code: string) => {
    const invite = await findOpenInvite(db, code);
    if (!invite) throw new Error(`${code} opens nothing.`);
    return initialAccountFields(invite);
  };

  it("a code that two people use at once makes one account", async () => {
    const { invite } = await (await signIn()).take(createInvite, { body: {} });
    const opened = await opening(invite.code);
    const emails = [newAddress(), newAddress()];
    const made = await Promise.allSettled(emails.map((email) => createAccount(db, { email, displayName: "New", ...opened }, null)));
    expect(made.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const lost = made.find(({ status }) => status === "rejected");
    expect(lost).toMatchObject({ reason: { code: "INVITE_INVALID" } });
    const rows = await env.DB.prepare("SELECT count(*) AS n FROM users WHERE email IN (?, ?)")
      .bind(...emails)
      .first<number>("n");
    expect(rows).toBe(1);
  });

  it("a code that is taken back while somebody signs up makes none", async () => {
    const person = await signIn();
    const { invite } = await person.take(createInvite, { body: {} });
    const opened = await opening(invite.code);
    await person.take(returnInvite, { params: { id: invite.id } });
    await expect(createAccount(db, { email: newAddress(), displayName: "New", ...opened }, null)).rejects.toMatchObject({
      code: "INVITE_INVALID",
    });
  });

  it("a code goes along with the link of the sign-in mail", async () => {
    const { invite } = await (await signIn()).take(createInvite, { body: {} });
    const email = newAddress();
    await visitor().take(startEmailSignIn, { body: { email, invite: invite.code, returnUrl: "/" } });
    const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, email);
    expect(mail?.text).toContain(`/auth?invite=${invite.code}#token=`);
  });

  it("a code can be tried twenty times an hour", async () => {
    const person = await signIn();
    const tries = () => person.call(redeemInvite, { params: { code: "0000-0000-0000" }, body: {} });
    for (let tried = 0; tried < 20; tried += 1) expect(refusal(await tries())).toBe("INVITE_INVALID");
    expect(refusal(await tries())).toBe("RATE_LIMITED");
  });
});
