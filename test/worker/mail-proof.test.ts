import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { createChat, listChats } from "#shared/contracts/chat/chats.ts";
import { listMails } from "#shared/contracts/chat/mails.ts";
import { deploymentWith } from "#test/support/deployment.ts";
import {
  addressOfChat,
  deliver,
  deliverSigned,
  deliverSource,
  deliverBytes,
  mailKeys,
  newestMail,
  authenticationResultFor,
  signed,
  SIGNED_FIELDS,
  signedSource,
  mailSource,
} from "#test/support/incoming.ts";
import { PROVIDERS } from "#test/support/provider-mails.ts";
import { platformFields, withPlatformFields } from "#test/simulators/smtp/platform-fields.ts";
import type { Signing } from "#test/simulators/smtp/sign-mail.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn, visitor } from "#test/support/worker.ts";
import { approvalLocalPart, newApprovalToken } from "#worker/mail/chat-address/approval-address.ts";

let owner: Person;

beforeAll(async () => {
  owner = await signIn();
});

async function newChat(person = owner): Promise<{ id: string; to: string }> {
  const { chat } = await person.take(createChat, { body: {} });
  return { id: chat.id, to: await addressOfChat(person, chat.id) };
}

/** What became of the newest mail of a chat. */
async function stateOf(id: string, person = owner) {
  const { state, authentication, note } = await newestMail(person, id, ({ text_body }) => text_body !== "");
  return { state, result: authentication?.result, by: authentication?.by ?? null, note };
}

const PROVEN = { state: "received", result: "pass", by: "dkim", note: null };
const UNPROVEN = { state: "quarantined", result: "fail", by: null, note: null };
const UNBELIEVED = { result: "fail", by: null };
const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const sourcesOf = async (id: string) => (await env.FILES.list({ prefix: `chats/${id}/mails/` })).objects.length;

/** What was asked of DNS at names that hold this text. */
async function askedOf(part: string): Promise<string[]> {
  const Asked = z.array(z.object({ query: z.record(z.string(), z.string()) }));
  const requests = Asked.parse(await (await fetch(`${env.DNS_SIMULATOR}/control/requests`)).json());
  return requests.map(({ query }) => query["name"] ?? "").filter((name) => name.includes(part));
}

it.each(Object.entries(PROVIDERS))(
  "a member's mail is believed by their domain's signature as %s writes and signs it",
  async (domain, write) => {
    const person = await signIn(visitor(), `${crypto.randomUUID()}@${domain}`);
    const { id, to } = await newChat(person);
    const { own, signings } = write({ from: person.email, to, subject: "A question", text: "say Believed." });
    const source = await signed(own, person.email, signings);
    expect(await deliverSource(source, { from: person.email, to, proof: "" })).toEqual({ rejected: null });
    expect(await stateOf(id, person)).toEqual(PROVEN);
    const forged = textOf(source).replaceAll("say Believed.", "say Forged.").replaceAll("A question", "Another");
    await deliverSource(forged, { from: person.email, to, proof: "" });
    expect(await stateOf(id, person)).toEqual(UNPROVEN);
  },
);

it.each<[string, Partial<Signing>]>([
  ["RSA, all relaxed", {}],
  ["a simple body", { canonicalization: "relaxed/simple" }],
  ["a simple header", { canonicalization: "simple/relaxed" }],
  ["both simple", { canonicalization: "simple/simple" }],
  ["Ed25519", { algorithm: "ed25519-sha256", selector: "polylogue-ed" }],
  ["a key that stands second among its name's texts", { selector: "polylogue-two" }],
])("a member's mail is believed by their domain's signature by %s", async (_what, signing) => {
  const { id, to } = await newChat();
  await deliverSigned({ from: `Ann  Owner <${owner.email}>`, to, text: "say  Signed. \n\n\n" }, [signing]);
  expect(await stateOf(id)).toEqual(PROVEN);
});

it("a member's mail is believed by their domain's signature also among signatures of others and broken ones, and with lines that end in LF alone", async () => {
  const { id, to } = await newChat();
  const signings = [{ domain: "list.example" }, { selector: "polylogue-revoked" }, {}, { selector: "polylogue-ed" }];
  await deliverSigned({ from: owner.email, to, text: "say Among others." }, signings);
  expect(await stateOf(id)).toEqual(PROVEN);
  const bare = textOf(await signedSource({ from: owner.email, to, text: "say With bare lines.\n\nand more" })).replaceAll("\r\n", "\n");
  await deliverBytes(bytesOf(bare), { from: owner.email, to });
  expect(await stateOf(id)).toEqual(PROVEN);
});

it("a member's mail is believed by their domain's signature whatever length it has and whatever pieces it comes in", async () => {
  const { id, to } = await newChat();
  const file = `${"QUJD".repeat(19)}\r\n`.repeat(45_000);
  const body = [
    'Content-Type: multipart/mixed; boundary="b"\r\n',
    "--b\r\nContent-Type: text/plain\r\n\r\nsay Long.",
    `--b\r\nContent-Type: application/octet-stream; name=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}`,
    "--b--\r\n",
  ].join("\r\n");
  await deliverSigned({ from: owner.email, to, body });
  expect(await stateOf(id)).toMatchObject({ state: "received", result: "pass" });
});

it("a member's mail is believed by their domain's signature with 20 MB of files", async () => {
  const { id, to } = await newChat();
  const file = `${"QUJD".repeat(19)}\r\n`.repeat(270_000);
  const body = `Content-Type: application/octet-stream; name=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}`;
  await deliverSigned({ from: owner.email, to, body });
  expect(await newestMail(owner, id)).toMatchObject({ authentication: { result: "pass", by: "dkim" } });
});

it("a mail that its sender's domain signed opens a chat, and one in its name that is not signed by it opens none and is kept nowhere", async () => {
  const person = await signIn();
  const letter = { from: person.email, to: "new@chats.localhost", subject: "By signature", text: "say Opened.", proof: "" };
  const before = (await env.FILES.list()).objects.length;
  const source = await signedSource(letter);
  const forged = textOf(source).replace("say Opened.", "say Forged.");
  expect((await deliverSource(forged, letter)).rejected).toMatch(/^New chats are opened for mail that is proven/);
  expect([(await person.take(listChats, {})).chats, (await env.FILES.list()).objects.length]).toEqual([[], before]);
  expect(await deliverSource(source, letter)).toEqual({ rejected: null });
  const chats = await until("the chat", async () => {
    const list = (await person.take(listChats, {})).chats;
    return list.length > 0 ? list : null;
  });
  expect(chats.map(({ title }) => title)).toEqual(["By signature"]);
});

it("a sender in whose name too many mails are forged in an hour opens no chat, until that is over, and nothing of them is stored", async () => {
  const person = await signIn();
  const deployment = deploymentWith({ MAILS_PER_HOUR: "2" });
  const letter = { from: person.email, to: "new@chats.localhost", subject: "Signed", text: "say Opened.", proof: "" };
  const source = await signedSource(letter);
  const forged = textOf(source).replace("say Opened.", "say Forged.");
  for (let time = 0; time < 2; time += 1)
    expect((await deliverSource(forged, letter, deployment)).rejected).toMatch(/^New chats are opened for mail that is proven/);
  const put = vi.spyOn(env.FILES, "put");
  await expect(deliverSource(forged, letter, deployment)).rejects.toThrow("Too many requests");
  await expect(deliverSource(source, letter, deployment)).rejects.toThrow("Too many requests");
  expect(put).not.toHaveBeenCalled();
  put.mockRestore();
  // Nobody else's mail is late by it, nor mail to a chat.
  const { id, to } = await newChat(person);
  await deliverSigned({ from: person.email, to, text: "say In its chat." });
  expect(await stateOf(id, person)).toEqual(PROVEN);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61 * 60_000 });
  expect(await deliverSource(source, letter, deployment)).toEqual({ rejected: null });
  vi.useRealTimers();
});

it("a member's mail is believed by the signature of a domain above its sender's where that one's policy lets it", async () => {
  const person = await signIn(visitor(), `${crypto.randomUUID()}@mail.organisation.example`);
  const { id, to } = await newChat(person);
  await deliverSigned({ from: person.email, to, text: "say From below." }, [{ domain: "organisation.example" }]);
  expect(await stateOf(id, person)).toEqual(PROVEN);
  const strict = await signIn(visitor(), `${crypto.randomUUID()}@mail.strict.example`);
  const chat = await newChat(strict);
  await deliverSigned({ from: strict.email, to: chat.to, text: "say From below." }, [{ domain: "strict.example" }]);
  expect(await stateOf(chat.id, strict)).toEqual(UNPROVEN);
});

it.each<[string, Partial<Signing>[]]>([
  ["a revoked key", [{ selector: "polylogue-revoked" }]],
  ["a key that is not there", [{ selector: "nowhere" }]],
  ["a key of a domain that tries it out", [{ selector: "polylogue-testing" }]],
  ["a signature of a beginning", [{ tags: "l=5;" }]],
  ["one that has expired", [{ tags: "t=1700000000; x=1700000001;" }]],
  ["one that does not cover From", [{ fields: "to:subject:date:message-id" }]],
  ["one of a domain below its sender's", [{ domain: "mail.example.com" }]],
  ["one of a domain that ends alike", [{ domain: "anexample.com" }]],
  ["one of a top-level domain", [{ domain: "com" }]],
  ["eight of no use above one that holds", [...Array.from({ length: 8 }, () => ({ selector: "nowhere" })), {}]],
])("nothing is proven by %s", async (_what, signings) => {
  const { id, to } = await newChat();
  expect(await deliverSigned({ from: owner.email, to, text: "say Not so." }, signings)).toEqual({ rejected: null });
  expect(await stateOf(id)).toMatchObject({ state: "quarantined", result: expect.stringMatching(/^(?:fail|none)$/), by: null });
});

it("nothing is proven by a signature of a registry's domain, above everybody's", async () => {
  const person = await signIn(visitor(), `${crypto.randomUUID()}@bank.co.uk`);
  const { id, to } = await newChat(person);
  await deliverSigned({ from: person.email, to, text: "say Not so." }, [{ domain: "co.uk" }]);
  expect(await stateOf(id, person)).toEqual(UNPROVEN);
});

it("nothing is proven by a From alone, by somebody's own results below the platform's hop, or by signed words of another sender", async () => {
  const { id, to } = await newChat();
  const bare = `From: ${owner.email}\r\nTo: ${to}\r\nMessage-ID: <bare@example.com>\r\n\r\nsay Forged.\r\n`;
  await deliverBytes(bytesOf(bare), { from: owner.email, to });
  expect(await stateOf(id)).toMatchObject({ state: "quarantined", result: "none" });
  await deliver({ from: owner.email, to, text: "say Forged.", proof: "", fields: [authenticationResultFor(owner.email)] });
  expect(await stateOf(id)).toMatchObject({ state: "quarantined", result: "none" });
  await deliverSigned({ from: `"${owner.email}" <eve@elsewhere.example>`, to, text: "say Forged." }, [{ domain: "elsewhere.example" }]);
  expect(await stateOf(id)).toMatchObject({ state: "quarantined", result: "pass" });
});

it.each([
  ["above", (source: string) => source.replace("From: ", "From : eve@elsewhere.example\r\nFrom: ")],
  ["below", (source: string) => source.replace("Subject: ", "From: eve@elsewhere.example\r\nSubject: ")],
])("nothing is proven of a mail with a second From %s", async (_where, change) => {
  const { to } = await newChat();
  const source = change(textOf(await signedSource({ from: owner.email, to })));
  expect(await deliverSource(source, { from: owner.email, to, proof: "" })).toEqual({
    rejected: "A mail needs exactly one sender in its From field.",
  });
});

it.each<[string, string]>([
  ["a line longer than any program writes", `\r\n\r\nsay Not so.\r\n${"x".repeat(70_000)}\r\n`],
  ["half a million lines", `\r\nContent-Transfer-Encoding: base64\r\n\r\n${"a \r\n".repeat(510_000)}`],
])("nothing is proven of a mail with %s, which costs no more to hash than its beginning", async (_what, body) => {
  const { id, to } = await newChat();
  expect(await deliverSigned({ from: owner.email, to, body: `Content-Type: text/plain${body}` })).toEqual({ rejected: null });
  expect(await newestMail(owner, id)).toMatchObject({ state: "quarantined", authentication: UNBELIEVED });
});

it("nothing is proven and no more than eight names are asked for", async () => {
  const { to } = await newChat();
  const deep = `${crypto.randomUUID().slice(0, 8)}.example`;
  const from = `ann@a.b.c.d.e.f.g.h.${deep}`;
  const signings = Array.from({ length: 6 }, () => ({ domain: deep }));
  await deliverSigned({ from, to, text: "say Deep." }, signings);
  expect((await askedOf(deep)).length).toBeLessThanOrEqual(8);
});

it("nothing is proven of a header longer than any program writes, which is refused before it costs anything", async () => {
  const { to } = await newChat();
  const bomb = `X-Fold: a\r\n${" b\r\n".repeat(26_000)}`.trimEnd();
  const source = await signedSource({ from: owner.email, to, fields: [bomb] });
  expect(await deliverSource(source, { from: owner.email, to, proof: "" })).toEqual({ rejected: "This mail's header cannot be read." });
});

it("nothing is proven and the log then has what stands on top, with no address", async () => {
  const lines: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void lines.push(line));
  const { to } = await newChat();
  const proof =
    "Authentication-Results: mx.cloudflare.net; dkim=none; dmarc=fail header.from=example.com; spf=pass smtp.mailfrom=ann@example.com";
  await deliver({ from: owner.email, to, proof, domain: "cloudflare-email.com" });
  await deliverSigned({ from: owner.email, to }, [{ selector: "polylogue-revoked" }]);
  const weak = textOf(await signedSource({ from: owner.email, to })).replace("a=rsa-sha256", "a=rsa-sha1");
  await deliverSource(weak, { from: owner.email, to, proof: "" });
  vi.restoreAllMocks();
  const Line = z.object({ message: z.string(), top: z.optional(z.array(z.string())), signatures: z.optional(z.array(z.string())) });
  const logLines = lines.map((line) => Line.parse(JSON.parse(line))).filter(({ message }) => message === "nothing proves a mail's sender");
  expect(logLines.map(({ top }) => top?.slice(0, 7))).toEqual([
    [
      "received by cloudflare-email.com",
      "arc-seal i=1 d=cloudflare-email.com",
      "arc-message-signature i=1 d=cloudflare-email.com",
      "arc-authentication-results mx.cloudflare.net dkim=none dmarc=fail",
      "received-spf",
      "authentication-results mx.cloudflare.net dkim=none dmarc=fail",
      "received by example.com",
    ],
    ["received by cloudflare-email.net", "dkim-signature", "received by example.com", "from", "to", "subject", "message-id"],
    ["received by cloudflare-email.net", "dkim-signature", "received by example.com", "from", "to", "subject", "message-id"],
  ]);
  expect(logLines.map(({ signatures }) => signatures)).toEqual([[], ["neutral: invalid public key"], ["neutral: weak algorithm"]]);
  expect(lines.join("\n")).not.toContain("@");
});

describe("a signed mail that somebody else sends on gains nothing by a receiver who is not signed", () => {
  const bob = "bob@elsewhere.example";
  const here = /^This chat stands in neither To nor Cc/;

  it.each<[string, string, (chat: string) => string[], string]>([
    ["a Cc that was not signed", "from:to:subject:date:message-id", (chat) => [`Cc: ${chat}`], "quarantined"],
    ["a Cc that was signed as missing", SIGNED_FIELDS, (chat) => [`Cc: ${chat}`], "quarantined"],
    ["its own Cc, signed", "", (chat) => [`Cc: ${chat}`], "received"],
  ])(
    "a signed mail that somebody else sends on gains nothing by a receiver who is not signed, as with %s",
    async (_what, fields, added, state) => {
      const { id, to } = await newChat();
      const letter = { from: owner.email, to: bob, text: "say Sent on." };
      // What is added stands there as it is signed where `fields` is empty.
      const sent = textOf(
        await signedSource({ ...letter, ...(fields === "" && { fields: added(to) }) }, [fields === "" ? {} : { fields }]),
      );
      const source = fields === "" ? sent : sent.replace("Subject: ", `${added(to).join("\r\n")}\r\nSubject: `);
      await deliverSource(source, { from: owner.email, to, proof: "" });
      const found = await stateOf(id);
      expect([found.state, here.test(found.note ?? "")]).toEqual([state, fields === "from:to:subject:date:message-id"]);
    },
  );

  it("a signed mail that somebody else sends on gains nothing by a receiver who is not signed, as with a Cc that a signature of a domain beside its sender's leaves out, where the platform lets that one sign", async () => {
    const person = await signIn(visitor(), `${crypto.randomUUID()}@eu.corp.example`);
    const { id, to } = await newChat(person);
    const signing = { domain: "mail.corp.example", fields: "from:to:subject:date:message-id" };
    const sent = textOf(await signedSource({ from: person.email, to: bob, text: "say Sent on." }, [signing]));
    const proof = "mx.cloudflare.net; dkim=pass header.d=mail.corp.example; dmarc=pass header.from=eu.corp.example; spf=fail";
    const sentOn = sent.replace("Subject: ", `Cc: ${to}\r\nSubject: `);
    await deliverSource(sentOn, { from: person.email, to, proof });
    expect(await stateOf(id, person)).toEqual({ state: "quarantined", result: "pass", by: "dmarc", note: expect.stringMatching(here) });
  });

  it("a signed mail that somebody else sends on is one mail whatever Message-ID it is given, where the platform's seal alone proves it and leaves that out", async () => {
    const { id, to } = await newChat();
    for (const messageId of ["one@example.com", "two@example.com"]) {
      const own = bytesOf(mailSource({ from: owner.email, to, text: "say Once.", messageId }));
      const results = "mx.cloudflare.net; dkim=none; dmarc=pass header.from=example.com; spf=pass";
      const sealed = await withPlatformFields(own, { results, fields: "from:to:cc:subject:date:reply-to" }, await mailKeys());
      await deliverBytes(sealed, { from: owner.email, to });
    }
    const { emails } = await owner.take(listMails, { params: { id } });
    expect(emails.filter(({ direction }) => direction === "in")).toHaveLength(1);
  });

  it("a signed mail that somebody else sends on opens no chat", async () => {
    const person = await signIn();
    const source = textOf(await signedSource({ from: person.email, to: bob }, [{ fields: "from:to:subject:date:message-id" }]));
    const sentOn = source.replace("Subject: ", "Cc: new@chats.localhost\r\nSubject: ");
    expect(await deliverSource(sentOn, { from: person.email, to: "new@chats.localhost", proof: "" })).toEqual({
      rejected: "Only a mail that names this address in To or Cc counts here.",
    });
  });
});

describe("the platform's results", () => {
  it.each(["cloudflare-email.net", "cloudflare-email.org", "cloudflare-email.com"] as const)(
    "the platform's results of %s serve for mail without a signature",
    async (domain) => {
      const { id, to } = await newChat();
      const proof =
        "Authentication-Results: mx.cloudflare.net; dkim=none; dmarc=pass header.from=example.com policy.dmarc=none; spf=pass smtp.mailfrom=x";
      await deliver({ from: owner.email, to, text: "say By SPF.", proof, domain });
      expect(await stateOf(id)).toEqual({ ...PROVEN, by: "dmarc" });
    },
  );

  const results = (dmarc: string) => `mx.cloudflare.net; dkim=none; dmarc=${dmarc} header.from=example.com`;

  it.each<[string, string, (sealed: string) => string]>([
    ["below a hop of another domain of its own", "pass", (sealed) => sealed.replace("by cloudflare-email.net", "by cloudflare-email.com")],
    ["above another text", "pass", (sealed) => sealed.replace("say Sealed.", "say Forged.")],
    ["above another sender", "pass", (sealed) => sealed.replace("From: ", "From: Else ")],
    ["changed to what would serve", "fail", (sealed) => sealed.replaceAll("dmarc=fail", "dmarc=pass")],
  ])("the platform's results prove nothing %s", async (_what, dmarc, change) => {
    const { id, to } = await newChat();
    const own = bytesOf(mailSource({ from: `<${owner.email}>`, to, text: "say Sealed." }));
    const sealed = textOf(await withPlatformFields(own, { results: results(dmarc) }, await mailKeys()));
    expect(change(sealed)).not.toBe(sealed);
    await deliverBytes(bytesOf(change(sealed)), { from: owner.email, to });
    expect(await stateOf(id)).toMatchObject({ state: "quarantined", by: null });
  });

  it.each<[string, number | null]>([
    ["two days ago", Math.floor(Date.now() / 1000) - 2 * 86_400],
    ["two days ahead", Math.floor(Date.now() / 1000) + 2 * 86_400],
    ["at no time that it names", null],
  ])(
    "the platform's results prove nothing where it sealed them %s, as in a mail that somebody sends on below its hop",
    async (_what, sealedAt) => {
      const { id, to } = await newChat();
      const own = bytesOf(mailSource({ from: owner.email, to, text: "say Sealed." }));
      await deliverBytes(await withPlatformFields(own, { results: results("pass"), sealedAt }, await mailKeys()), {
        from: owner.email,
        to,
      });
      expect(await stateOf(id)).toEqual(UNPROVEN);
    },
  );

  it("the platform's results serve as well below eight signatures of the sender's without a key", async () => {
    const { id, to } = await newChat();
    const signings = Array.from({ length: 8 }, (_, n) => ({ selector: `nowhere-${n}` }));
    const source = await signedSource({ from: owner.email, to, text: "say By the platform." }, signings);
    await deliverSource(source, { from: owner.email, to, proof: results("pass") });
    expect(await stateOf(id)).toEqual({ ...PROVEN, by: "dmarc" });
  });

  it("the platform's results prove nothing where its hop is all that it wrote, and somebody else wrote the rest in their order", async () => {
    const { id, to } = await newChat();
    const person = await signIn();
    const forged = (receiver: string, from: string) =>
      bytesOf([...platformFields(results("pass")), mailSource({ from, to: receiver, text: "say Forged." })].join("\r\n"));
    await deliverBytes(forged(to, owner.email), { from: owner.email, to });
    expect(await stateOf(id)).toMatchObject({ state: "quarantined", by: null });
    const general = { from: person.email, to: "new@chats.localhost" };
    expect((await deliverBytes(forged(general.to, person.email), general)).rejected).toMatch(
      /^New chats are opened for mail that is proven/,
    );
  });
});

describe("where DNS does not answer", () => {
  const away = deploymentWith({ DNS_URL: `${env.DNS_SIMULATOR}/nowhere` });
  const later = "DNS says nothing about this mail's sender for now";

  it("a signed mail is left with its sender's server, and taken as what it is when it comes again", async () => {
    const { id, to } = await newChat();
    const source = await signedSource({ from: owner.email, to, text: "say Later." });
    await expect(deliverSource(source, { from: owner.email, to, proof: "" }, away)).rejects.toThrow(later);
    expect([(await owner.take(listMails, { params: { id } })).emails, await sourcesOf(id)]).toEqual([[], 0]);
    await deliverSource(source, { from: owner.email, to, proof: "" });
    expect(await stateOf(id)).toEqual(PROVEN);
  });

  it("while DNS does not answer no mail opens a chat, and one that does is the same", async () => {
    const person = await signIn();
    const letter = { from: person.email, to: "new@chats.localhost", subject: "Later", text: "say Later.", proof: "" };
    const source = await signedSource(letter);
    await expect(deliverSource(source, letter, away)).rejects.toThrow(later);
    expect((await person.take(listChats, {})).chats).toEqual([]);
    expect(await deliverSource(source, letter)).toEqual({ rejected: null });
  });

  it("a key's server that fails is asked again too, unless another signature holds", async () => {
    const { id, to } = await newChat();
    const signings = [{ selector: "polylogue-away" }];
    await expect(deliverSigned({ from: owner.email, to }, signings)).rejects.toThrow(later);
    await deliverSigned({ from: owner.email, to, text: "say Twice signed." }, [...signings, {}]);
    expect(await stateOf(id)).toEqual(PROVEN);
  });

  it("the platform's seal waits as well, and a mail that has neither for nothing", async () => {
    const { to } = await newChat();
    await expect(deliver({ from: owner.email, to, text: "say By the platform." }, away)).rejects.toThrow(later);
    expect(await deliver({ from: "eve@elsewhere.example", to, proof: "" }, away)).toEqual({ rejected: null });
  });
});

it("a key is asked for once for as long as its answer holds", async () => {
  const domain = `${crypto.randomUUID().slice(0, 8)}.example`;
  const { to } = await newChat();
  for (let n = 0; n < 3; n += 1) await deliverSigned({ from: `ann@${domain}`, to, text: `${n}` });
  expect(await askedOf(domain)).toEqual([`polylogue._domainkey.${domain}`]);
});

it("a key with a record of kilobytes is believed, and kept for no other mail", async () => {
  const domain = `${crypto.randomUUID().slice(0, 8)}.example`;
  const person = await signIn(visitor(), `ann@${domain}`);
  const { id, to } = await newChat(person);
  for (const text of ["say One.", "say Two."]) await deliverSigned({ from: person.email, to, text }, [{ selector: "polylogue-long" }]);
  expect(await stateOf(id, person)).toEqual(PROVEN);
  expect(await askedOf(domain)).toHaveLength(2);
});

it("an answer to a question that nobody asked is not read", async () => {
  const domain = `${crypto.randomUUID().slice(0, 8)}.example`;
  const person = await signIn(visitor(), `ann@${domain}`);
  const to = `${approvalLocalPart(crypto.randomUUID(), newApprovalToken())}@chats.localhost`;
  expect(await deliverSigned({ from: person.email, to, text: "ok" })).toEqual({ rejected: "There is no such address." });
  expect(await askedOf(domain)).toEqual([]);
});
