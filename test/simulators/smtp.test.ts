import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import nodemailer from "nodemailer";
import { startSmtp, type SmtpSimulator } from "./smtp/server.ts";

type Handed = { from: string; to: string; raw: string };

const handed: Handed[] = [];
let answer: { status: number; body: unknown };
let smtp: SmtpSimulator;

const worker = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://localhost");
  const chunks: Buffer[] = [];
  request.on("data", (piece: Buffer) => void chunks.push(piece));
  request.on("end", () => {
    handed.push({ from: url.searchParams.get("from") ?? "", to: url.searchParams.get("to") ?? "", raw: Buffer.concat(chunks).toString() });
    response.writeHead(answer.status).end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
  });
});

beforeAll(async () => {
  await new Promise<void>((resolve) => worker.listen(0, "127.0.0.1", resolve));
  const address = worker.address();
  const port = typeof address === "object" && address ? address.port : 0;
  smtp = await startSmtp({ workerUrl: `http://127.0.0.1:${port}`, domain: "chats.localhost" });
});

beforeEach(() => {
  handed.length = 0;
  answer = { status: 200, body: { outcome: "ok", rejectReason: null } };
});

afterAll(async () => {
  await smtp.close();
  await new Promise((resolve) => worker.close(resolve));
});

function send(mail: Parameters<ReturnType<typeof nodemailer.createTransport>["sendMail"]>[0]) {
  const transport = nodemailer.createTransport({ host: "127.0.0.1", port: smtp.port, ignoreTLS: true, name: "laptop" });
  return transport.sendMail({ from: "Ann <ann@example.com>", to: "token@chats.localhost", subject: "Hello", text: "Text.", ...mail });
}

const codeOf = (sent: Promise<unknown>) =>
  sent.then(
    () => 250,
    (error: unknown) => (typeof error === "object" && error !== null && "responseCode" in error ? error.responseCode : error),
  );

it("the mail server hands a mail on with what the platform puts on top, and without a sender's copies of it", async () => {
  await send({ headers: { "Authentication-Results": "mx.cloudflare.net; dmarc=pass header.from=bank.example", "X-Own": "kept" } });
  expect(handed).toMatchObject([{ from: "ann@example.com", to: "token@chats.localhost" }]);
  const [header = ""] = (handed[0]?.raw ?? "").split("\r\n\r\n");
  const [first, , , , , second, ...others] = header.split(/\r\n(?![ \t])/);
  expect(first).toMatch(/^Received: from laptop \(127\.0\.0\.1\) by cloudflare-email\.net/);
  expect(second).toMatch(
    /^Authentication-Results: mx\.cloudflare\.net; dkim=pass header\.d=example\.com; dmarc=pass header\.from=example\.com/,
  );
  expect(others[0]).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256; c=relaxed\/relaxed; d=example\.com; s=polylogue;/);
  expect(others.join("\n")).toContain("X-Own: kept");
  expect(header).not.toContain("bank.example");
});

it("the mail server has nothing vouch for who writes to the sub-address for that", async () => {
  await send({ to: "token+unproven@chats.localhost" });
  expect(handed[0]?.raw).toContain("dmarc=fail header.from=example.com");
});

it.each([
  ["org", "cloudflare-email.org", 1],
  ["com", "cloudflare-email.com", 1],
  ["bare", "cloudflare-email.net", 0],
])("the mail server writes as the platform's domain that the sub-address asks for: %s", async (part, domain, seals) => {
  await send({ to: `token+${part}@chats.localhost` });
  const header = handed[0]?.raw.split("\r\n\r\n")[0] ?? "";
  expect([header.split("\r\n")[0], header.match(/^ARC-Seal: /gm)?.length ?? 0]).toEqual([expect.stringContaining(` by ${domain} `), seals]);
});

it.each([
  ["taken", { status: 200, body: { outcome: "ok", rejectReason: null } }, 250],
  ["refused for good", { status: 200, body: { outcome: "ok", rejectReason: "There is no such address." } }, 550],
  ["put off", { status: 200, body: { outcome: "exception" } }, 451],
  ["not understood by the platform", { status: 400, body: "unparsable" }, 550],
  ["not handled", { status: 500, body: "no handler" }, 451],
])("the mail server reports to the sender what became of a mail that was %s", async (_what, given, code) => {
  answer = given;
  expect(await codeOf(send({}))).toBe(code);
});

it("the mail server relays nothing, and takes nothing larger than the platform does", async () => {
  expect(await codeOf(send({ to: "ann@example.com" }))).toBe(550);
  expect(await codeOf(send({ attachments: [{ filename: "a.bin", content: Buffer.alloc(21 * 1024 * 1024) }] }))).toBe(552);
  expect(handed).toEqual([]);
});
