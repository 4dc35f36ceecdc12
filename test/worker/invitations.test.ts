import { env } from "cloudflare:workers";
import { createExecutionContext } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { getChat, listChats } from "#shared/contracts/chat/chats.ts";
import { createInvite } from "#shared/contracts/account/invites.ts";
import { listShares, removeShare, shareChat } from "#shared/contracts/chat/sharing.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { shareIdOf } from "#test/support/shared-chat.ts";
import { cookiesOf, post, visitWith } from "#test/support/sign-in.ts";
import { until } from "#test/support/until.ts";
import { newAddress, refusal, signIn, signInByMail, visitor } from "#test/support/worker.ts";
import { app } from "#worker/app.ts";

const DAY = 24 * 60 * 60_000;

afterEach(() => void vi.useRealTimers());

function input(email: string, permissionLevel: "viewer" | "editor" = "viewer") {
  return { type: "user" as const, email, permissionLevel };
}

async function start() {
  const owner = await signIn();
  const { chatId } = await startChatAndRead(owner, "say come and see");
  const params = { id: chatId };
  return { owner, chatId, params, invite: (email: string) => owner.take(shareChat, { params, body: { ...input(email), invite: true } }) };
}

it("an address without an account is invited by mail, and has the chat once it signs up", async () => {
  const { owner, chatId, params, invite } = await start();
  const email = newAddress();
  expect(await owner.call(shareChat, { params, body: input(email) })).toMatchObject({ status: 404, error: { code: "USER_NOT_FOUND" } });
  expect(await mailsTo(env.MAILBOX_SIMULATOR, email)).toEqual([]);
  const shares = await invite(email.toUpperCase());
  expect(shares.userShares).toMatchObject([
    { userEmail: email, userId: null, userDisplayName: null, permissionLevel: "viewer", pending: true },
  ]);
  const [mail] = await mailsTo(env.MAILBOX_SIMULATOR, email);
  expect(mail?.subject).toContain(owner.email);
  expect(mail?.text).toContain(`/auth/login?returnUrl=${encodeURIComponent(`/c/${chatId}`)}`);
  expect(mail?.text).not.toContain("come and see");
  // Its level changes in place, and no second mail is sent.
  await owner.take(shareChat, { params, body: input(email, "editor") });
  expect(await mailsTo(env.MAILBOX_SIMULATOR, email)).toHaveLength(1);
  const invited = await signInByMail(visitor(), email);
  expect((await invited.take(getChat, { params })).chat).toMatchObject({ permissionLevel: "editor", isShared: true });
  await until("the chat in the list", async () => (await invited.take(listChats, {})).chats.find(({ id }) => id === chatId));
  expect((await owner.take(listShares, { params })).userShares).toMatchObject([
    { userEmail: email, userId: invited.user.id, pending: false },
  ]);
});

it("an address without an account is sent an invite of the sender's own along, whose code is in the letter and its link", async () => {
  const { owner, chatId, params } = await start();
  const boss = await signIn(visitor(), "admin@example.com");
  const email = newAddress();
  const { invite } = await owner.take(createInvite, { body: { sent_to: email } });
  const { invite: foreign } = await boss.take(createInvite, { body: { solo_plan: true } });
  const mail = (id: string) => owner.call(shareChat, { params, body: { ...input(email), invite: true, invite_id: id } });
  expect(refusal(await mail(foreign.id))).toBe("NOT_FOUND");
  expect(await mailsTo(env.MAILBOX_SIMULATOR, email)).toEqual([]);
  expect(await mail(invite.id)).toMatchObject({ ok: true });
  const [letter] = await mailsTo(env.MAILBOX_SIMULATOR, email);
  for (const body of [letter?.text, letter?.html]) {
    expect(body).toContain(`one account with $5 of credits. Its code is ${showInviteCode(invite.code)}.`);
    expect(body).toContain(`/auth/login?returnUrl=${encodeURIComponent(`/c/${chatId}?invite=${invite.code}`)}`);
  }
});

it("where signing up is by invitation, an address without an account is mailed only with an invite, or where a team awaits it", async () => {
  const { owner, params } = await start();
  const email = newAddress();
  const send = async (body: object) =>
    visitWith({ SIGNUP: "invite" }, `/api/chat/${params.id}/share`, post({ ...input(email), invite: true, ...body }, cookiesOf(owner)));
  const refused = await send({});
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ code: "INVITE_REQUIRED" });
  const { invite } = await owner.take(createInvite, { body: {} });
  expect((await send({ invite_id: invite.id })).status).toBe(200);
  expect(await mailsTo(env.MAILBOX_SIMULATOR, email)).toHaveLength(1);
});

it("an address without an account finds nothing where the invitation was taken back, and an invitation is of use to no other address", async () => {
  const { owner, chatId, params, invite } = await start();
  const email = newAddress();
  await invite(email);
  const other = await signIn();
  expect(await other.call(getChat, { params })).toMatchObject({ status: 404 });
  await owner.take(removeShare, { params: { id: chatId, shareId: await shareIdOf(owner, chatId, email) } });
  const invited = await signInByMail(visitor(), email);
  expect(await invited.call(getChat, { params })).toMatchObject({ status: 404 });
  expect((await owner.take(listShares, { params })).userShares).toEqual([]);
});

it("an address without an account takes its own invitation to a chat and no other address's", async () => {
  const { owner, params, invite } = await start();
  const [viewer, editor] = [newAddress(), newAddress()];
  await invite(viewer);
  await owner.take(shareChat, { params, body: { ...input(editor, "editor"), invite: true } });
  const invited = await signInByMail(visitor(), viewer);
  expect((await invited.take(getChat, { params })).chat.permissionLevel).toBe("viewer");
  expect((await owner.take(listShares, { params })).userShares).toMatchObject([
    { userEmail: viewer, userId: invited.user.id, pending: false },
    { userEmail: editor, userId: null, permissionLevel: "editor", pending: true },
  ]);
});

it("an address without an account gets at most five invitations a day, and a person sends at most twenty an hour", async () => {
  const { owner, params, invite } = await start();
  // Far from midnight, where the day that counts them would change under way.
  vi.useFakeTimers({ toFake: ["Date"], now: (Math.floor(Date.now() / DAY) + 1.5) * DAY });
  const email = newAddress();
  for (let sent = 0; sent < 5; sent += 1) await invite(email);
  const refused = { status: 429, error: { code: "INVITATIONS_LIMITED" } };
  expect(await owner.call(shareChat, { params, body: { ...input(email), invite: true } })).toMatchObject(refused);
  // The refused one counted for its sender, too.
  for (let sent = 6; sent < 20; sent += 1) await invite(newAddress());
  expect(await owner.call(shareChat, { params, body: { ...input(newAddress()), invite: true } })).toMatchObject(refused);
  expect(await mailsTo(env.MAILBOX_SIMULATOR, email)).toHaveLength(5);
});

it("an address without an account says what is missing where no mail can be sent, and nothing is kept", async () => {
  const { owner, chatId, params } = await start();
  const headers = {
    "content-type": "application/json",
    origin: "http://localhost",
    cookie: [...owner.cookies].map((pair) => pair.join("=")).join("; "),
  };
  const request = new Request(`http://localhost/api/chat/${chatId}/share`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...input(newAddress()), invite: true }),
  });
  const { RESEND_API_KEY: _, EMAIL: __, ...without } = env;
  const response = await app.fetch(request, without, createExecutionContext());
  expect(await response.json()).toMatchObject({ code: "MAIL_NOT_CONFIGURED", error: expect.stringContaining("Invitations") });
  expect((await owner.take(listShares, { params })).userShares).toEqual([]);
});
