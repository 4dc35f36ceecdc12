import { describe, expect, test } from "vitest";
import { automaticKind, isMachineAddress } from "#worker/mail/inbound/auto-reply.ts";
import { plainAddress, replyRecipients, type ReplyRules } from "#worker/mail/outbound/reply-recipients.ts";

const person = { envelopeFrom: "ada@example.com", from: "ada@example.com", subject: "March invoice" };
const header = (name: string, value: string) => ({ ...person, headers: [{ name, value }] });

test.each([
  ["an empty envelope", { ...person, envelopeFrom: "", headers: [] }, "bounce"],
  ["an envelope of <>", { ...person, envelopeFrom: "<>", headers: [] }, "bounce"],
  ["a mailer daemon", { ...person, from: "MAILER-DAEMON@mx.example.com", headers: [] }, "bounce"],
  ["a report", header("Content-Type", "multipart/report; report-type=delivery-status"), "bounce"],
  ["a vacation notice", header("Auto-Submitted", "auto-replied (vacation)"), "automatic"],
  ["a generated mail", header("auto-submitted", "auto-generated"), "automatic"],
  ["Exchange's request", header("X-Auto-Response-Suppress", "All"), "automatic"],
  ["an autoreply's own header", header("X-Autoreply", "yes"), "automatic"],
  ["an autoreply's precedence", header("Precedence", "auto_reply"), "automatic"],
  ["a list", header("List-Id", "<users.example.com>"), "list"],
  ["a newsletter", header("List-Unsubscribe", "<https://example.com/u>"), "list"],
  ["bulk mail", header("Precedence", "bulk"), "bulk"],
  ["a no-reply address", { ...person, from: "no-reply@example.com", headers: [] }, "automatic"],
  ["bounces of a list", { ...person, envelopeFrom: "users-bounces+ada=example.com@lists.example.com", headers: [] }, "automatic"],
  ["a subject", { ...person, subject: "Out of Office: March invoice", headers: [] }, "automatic"],
  ["a German subject", { ...person, subject: "Automatische Antwort: Rechnung", headers: [] }, "automatic"],
  ["a Chinese subject", { ...person, subject: "自动回复: 发票", headers: [] }, "automatic"],
] as const)("what a machine sent: %s is not answered", (_name, mail, kind) => {
  expect(automaticKind(mail)).toBe(kind);
});

test.each([
  ["a plain mail", { ...person, headers: [] }],
  ["one that says so", header("Auto-Submitted", "no")],
  ["one that suppresses nothing", header("X-Auto-Response-Suppress", "None")],
  ["one of first precedence", header("Precedence", "first-class")],
  ["one about offices", { ...person, subject: "Re: the office is out of paper", headers: [] }],
  ["one with parts", header("Content-Type", "multipart/alternative; boundary=x")],
])("what a machine sent: %s is answered", (_name, mail) => {
  expect(automaticKind(mail)).toBeNull();
});

test.each([
  ["noreply@x.example", true],
  ["do-not-reply@x.example", true],
  ["donotreply@x.example", true],
  ["Postmaster@x.example", true],
  ["bounce-123@x.example", true],
  ["billing-noreply@x.example", true],
  ["reply@x.example", false],
  ["norbert@x.example", false],
  ["replyall@x.example", false],
])("what a machine sent: %s: %s", (address, isMachine) => {
  expect(isMachineAddress(address)).toBe(isMachine);
});

describe("who is answered", () => {
  const rules: ReplyRules = {
    isToAll: false,
    isAuthenticated: true,
    isOwn: (address) => address.endsWith("@in.polylogue.example"),
    isTheirs: (address) => address === "lena@example.com",
    isSuppressed: (address) => address === "gone@example.com",
  };
  const mail = {
    from: "Ada@Example.com",
    replyTo: ["team@example.com"],
    to: ["abc123@in.polylogue.example", "Bob@example.com", "bob@example.com", "gone@example.com", "lena@example.com"],
    cc: ["no-reply@example.com", "ada@example.com", "cleo@example.com", "bad address"],
  };

  test("where only the sender is answered, the answer goes to the sender alone", () => {
    expect(replyRecipients(mail, rules)).toEqual({ to: ["ada@example.com"], cc: [] });
  });

  test("where all are answered, the answer goes to everybody but the product, machines, the suppressed and duplicates", () => {
    expect(replyRecipients(mail, { ...rules, isToAll: true })).toEqual({
      to: ["team@example.com"],
      cc: ["bob@example.com", "ada@example.com", "cleo@example.com"],
    });
    expect(replyRecipients({ ...mail, replyTo: [] }, { ...rules, isToAll: true })?.to).toEqual(["ada@example.com"]);
    expect(replyRecipients({ ...mail, from: "lena@example.com" }, rules)?.to).toEqual(["lena@example.com"]);
  });

  test("an answer to all goes to nobody whose mail was not proven, no machine, none of the product's own chats and no suppressed address", () => {
    expect(replyRecipients(mail, { ...rules, isToAll: true, isAuthenticated: false })).toBeNull();
    for (const from of ["postmaster@example.com", "other@in.polylogue.example", "gone@example.com", ""])
      expect(replyRecipients({ ...mail, from }, { ...rules, isToAll: true })).toBeNull();
  });

  test("an answer to all goes to twenty at most", () => {
    const cc = Array.from({ length: 60 }, (_, index) => `p${index}@example.com`);
    const { to = [], cc: copies = [] } = replyRecipients({ ...mail, cc }, { ...rules, isToAll: true }) ?? {};
    expect(to.length + copies.length).toBe(20);
  });

  test.each(["a@b\r\nBcc: c@d", "a@b,c@d", "<a@b>", "a@@b", "a@b..c", "a b@c", "@b", "a@"])("%j is no address to answer", (address) => {
    expect(plainAddress(address)).toBeNull();
  });
});
