import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { deploymentWith } from "#test/support/deployment.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { newAddress } from "#test/support/worker.ts";
import { type OutgoingMail, sendOutgoing } from "#worker/platform/clients/mailer.ts";

function mailTo(address: string, change: Partial<OutgoingMail> = {}): OutgoingMail {
  return {
    from: { name: "Ann via Polylogue", email: "token@chats.localhost" },
    to: [address],
    cc: [],
    replyTo: "token@chats.localhost",
    subject: "Subject",
    text: "Text.",
    html: "<p>Text.</p>",
    headers: {},
    files: [],
    key: crypto.randomUUID(),
    ...change,
  };
}

describe("the platform's binding", () => {
  const binding = (send: SendEmail["send"]) => deploymentWith({ RESEND_API_KEY: undefined, EMAIL: { send } });
  const failing = (thrown: unknown) => binding(() => Promise.reject(thrown));

  it.each([
    ["E_RATE_LIMIT_EXCEEDED", "later"],
    ["E_DAILY_LIMIT_EXCEEDED", "later"],
    ["E_INTERNAL_SERVER_ERROR", "unsure"],
    ["E_DELIVERY_FAILED", "unsure"],
    ["E_VALIDATION_ERROR", "refused"],
    ["E_SENDER_NOT_VERIFIED", "refused"],
    ["E_RECIPIENT_SUPPRESSED", "refused"],
    ["E_CONTENT_TOO_LARGE", "refused"],
  ])("the platform's binding that says %s has it %s", async (code, kind) => {
    const thrown = Object.assign(new Error("Not taken"), { code });
    expect(await sendOutgoing(failing(thrown), mailTo(newAddress()))).toMatchObject({ ok: false, kind, code });
  });

  it("the platform's binding that says nothing known leaves it unsure", async () => {
    for (const thrown of [new Error("connection lost"), Object.assign(new Error("x"), { code: "ECONNRESET" }), "text"])
      expect(await sendOutgoing(failing(thrown), mailTo(newAddress()))).toMatchObject({ ok: false, kind: "unsure" });
  });

  it("the platform's binding gets a file as it is, and its answer is the id that answers name", async () => {
    const given: unknown[] = [];
    const deployment = binding((mail: unknown) => {
      given.push(mail);
      return Promise.resolve({ messageId: "<one@chats.localhost>" });
    });
    const files = [{ filename: "notes.txt", type: "text/plain", content: btoa("Four pages.") }];
    expect(await sendOutgoing(deployment, mailTo(newAddress(), { files }))).toEqual({
      ok: true,
      providerId: "one@chats.localhost",
      messageId: "one@chats.localhost",
    });
    expect(given).toMatchObject([{ attachments: [{ filename: "notes.txt", content: btoa("Four pages."), disposition: "attachment" }] }]);
  });
});

it("a mail that is sent again under its key with other words, as its chat was renamed meanwhile, reads as sent and is one mail", async () => {
  const address = newAddress();
  const mail = mailTo(address);
  expect(await sendOutgoing(env, mail)).toMatchObject({ ok: true });
  expect(await sendOutgoing(env, { ...mail, subject: "Another subject" })).toEqual({ ok: true, providerId: null, messageId: null });
  expect((await mailsTo(env.MAILBOX_SIMULATOR, address)).map(({ subject }) => subject)).toEqual(["Subject"]);
});
