import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { createTeam, getTeamInvitation, sendTeamInvitation } from "#shared/contracts/account/teams.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { newAddress, signIn } from "#test/support/worker.ts";
import { hashCode, isCode } from "#worker/people/signing-keys/code-hash.ts";
import { newTransaction, openTransaction, sealTransaction } from "#worker/people/auth/google.ts";
import { sha256 } from "#worker/platform/random.ts";
import { MEDIA_FOLDER, mediaUrl, serveMedia } from "#worker/library/media/media.ts";
import type { Env } from "#worker/platform/env.ts";
import { readUnsubscribeToken, unsubscribeToken } from "#worker/mail/notifications/unsubscribe-token.ts";
import { isWebhookToken, webhookAddress } from "#worker/integrations/phone/webhook-address.ts";
import { formerMailboxDigests } from "#worker/people/users/mailbox-of.ts";

const SECRET = "another-secret-of-more-than-32-characters";
const before = deploymentWith({ APP_ORIGIN: "http://localhost" });
const after = deploymentWith({ SESSION_SECRET: SECRET, OLD_SESSION_SECRETS: env.SESSION_SECRET, APP_ORIGIN: "http://localhost" });
const without = deploymentWith({ SESSION_SECRET: SECRET, APP_ORIGIN: "http://localhost" });

/** Whether what was signed before and after the change is good after it, without the older secret, and before it. */
async function goodOf<T>(make: (deployment: Env) => Promise<T>, isGood: (deployment: Env, made: T) => Promise<boolean>) {
  const [old, now] = [await make(before), await make(after)];
  return {
    old: [await isGood(after, old), await isGood(without, old)],
    now: [await isGood(after, now), await isGood(without, now), await isGood(before, now)],
  };
}
/** The older counts while its secret is given; what is signed now is signed by the newest alone. */
const ROTATED = { old: [true, false], now: [true, true, false] };

it("a session secret that was changed leaves codes, links, addresses and sign-ins under way as they were, with the one before beside it", async () => {
  const place = { chatId: crypto.randomUUID(), callId: crypto.randomUUID() };
  const asked = { about: "someone@example.com", code: "123456" };
  const codes = await goodOf(
    (deployment) => hashCode(deployment, "sign-in-code", asked),
    (deployment, expected) => isCode(deployment, "sign-in-code", { ...asked, expected }),
  );
  const unsubscribing = await goodOf(
    (deployment) => unsubscribeToken(deployment, { userId: place.chatId, kind: "approval" }),
    async (deployment, token) => (await readUnsubscribeToken(deployment, token)) !== null,
  );
  const webhooks = await goodOf(
    async (deployment) => (await webhookAddress(deployment, place))?.split("/").at(-1) ?? "",
    (deployment, token) => isWebhookToken(deployment, place, token),
  );
  const transaction = newTransaction({ returnUrl: "/", isFromPage: true, invite: null });
  const signIns = await goodOf(
    (deployment) => sealTransaction(deployment, transaction),
    async (deployment, sealed) => (await openTransaction(deployment, sealed))?.state === transaction.state,
  );
  const mailboxes = await goodOf(
    async (deployment) => (await formerMailboxDigests(deployment, asked.about))[0] ?? "",
    async (deployment, key) => (await formerMailboxDigests(deployment, asked.about)).includes(key),
  );
  expect({ codes, unsubscribing, webhooks, signIns, mailboxes }).toEqual({
    codes: ROTATED,
    unsubscribing: ROTATED,
    webhooks: ROTATED,
    signIns: ROTATED,
    mailboxes: ROTATED,
  });
});

it("a session secret that was changed leaves pictures of older answers and invitations where they are, with the one before beside it", async () => {
  const url = `https://pictures.example/${crypto.randomUUID()}.png`;
  await env.FILES.put(`${MEDIA_FOLDER}${await sha256(url)}`, "a picture");
  const [, , , signature = "", address = ""] = (await mediaUrl(before, url)).split("/");
  const look = (deployment: Env) => serveMedia(deployment, { signature, address, ownHost: "localhost", userId: "ann" });
  expect((await look(after)).status).toBe(200);
  await expect(look(without)).rejects.toMatchObject({ code: "NOT_FOUND" });

  const admin = await signIn();
  const { team } = await admin.take(createTeam, { body: { name: "Crew" } });
  const { invitation } = await admin.take(sendTeamInvitation, { body: { teamId: team.id, email: newAddress() } });
  const path = getTeamInvitation.path.replace(":token", invitation.token);
  const rotated = { SESSION_SECRET: SECRET, OLD_SESSION_SECRETS: env.SESSION_SECRET };
  expect((await visitWith(rotated, path)).status).toBe(200);
  expect((await visitWith({ SESSION_SECRET: SECRET }, path)).status).toBe(404);
});

it("a session secret that was changed is named where the older one beside it is too short", async () => {
  const answer = await visitWith({ OLD_SESSION_SECRETS: `${SECRET},short` }, "/api/auth/session");
  expect(await answer.json()).toMatchObject({
    error:
      "This deployment is not set up correctly: OLD_SESSION_SECRETS must be secrets of at least 32 characters each, with commas between.",
  });
});
