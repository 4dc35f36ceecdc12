import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { platformFields } from "../simulators/smtp/platform-fields.ts";
import { type BenchServer, type BenchUser, startBenchServer } from "../../scripts/lib/bench/bench-server.ts";
import { type Bench, type BenchContext, type Figure, quantile } from "./figure.ts";
import { openInspector, peakDuring, usedMemory } from "./inspector.ts";
import { readAll, send } from "./load/turn-client.ts";
import { makeUsers } from "./seed.ts";

/** All mails, and those that stand for them; how many a chat gets, and how many come again, are broken, or as large as the platform takes. */
const ALL_MAILS = 10_000;
const SAMPLE = 1_000;
const A_CHAT = 50;
/** One of so many comes a second time. */
const REPEATED = 4;
const BROKEN = 0.05;
const LARGE = 0.01;
const USUAL_BYTES = 50 * 1024;
const LARGE_BYTES = 25 * 1024 * 1024 - 4_096;
const AT_ONCE = 4;
const TIMED = 200;
const MB = 1024 * 1024;
/** Memory that the Worker may hold at its peak: half of what the platform gives it. */
const TARGET_MB = 64;
const READ_WITHIN_MS = 10 * 60_000;

type Letter = { id: string; address: string; kind: "usual" | "broken" | "large" };
type Chat = { id: string; address: string };

const Made = z.object({ chat: z.object({ id: z.string() }) });
const Listed = z.object({
  address: z.string(),
  emails: z.array(
    z.object({ direction: z.string(), message_id: z.string().nullable(), text_body: z.string(), note: z.string().nullable() }),
  ),
});

/** A burst of strangers' mail: each is one row, whatever comes again, and nothing breaks. */
export const bench: Bench = {
  id: "R4",
  topic: "mail",
  title: "10,000 mails (1,000 unless --full), some again, some broken, some of 25 MiB",
  async measure(context) {
    return [...(await measureBurst(context)), ...(await measureMemory(context))];
  },
};

async function measureBurst({ serve, isFull }: BenchContext): Promise<Figure[]> {
  const server = await serve();
  const [user] = await makeUsers(server, 1);
  if (!user) throw new Error("No account was made.");
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const distinct = ((isFull ? ALL_MAILS : SAMPLE) * REPEATED) / (REPEATED + 1);
  const chats = await makeMailChats(server, { user, agent, count: Math.ceil((distinct * (REPEATED + 1)) / REPEATED / A_CHAT) });
  // Large ones come one after the other, and no chat takes many of strangers.
  const letters = Array.from({ length: distinct }, (_, n) =>
    letter(n, chats[(n + Math.floor(n / chats.length)) % chats.length]?.address ?? ""),
  );
  // Some come again while they are taken in, others soon afterwards.
  const all = letters.flatMap((one, n) => (n % REPEATED === 0 ? [one, letters[n - (n % (3 * REPEATED))] ?? one] : [one]));

  const failures: string[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let mail = all[next++]; mail; mail = all[next++]) {
      const failure = await deliver(server, { agent, mail, body: source(mail) });
      if (failure !== null) failures.push(failure);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, () => work()));
  const { rows, unread } = await readRows(server, { user, agent, chats });
  const times = await timeEach(server, await makeMailChats(server, { user, agent, count: TIMED / A_CHAT }), agent);
  agent.destroy();
  return [
    { name: "rows more or fewer than mails", unit: "errors", values: [Math.abs(rows - distinct)], target: 0 },
    { name: "mails that were not taken", unit: "errors", values: [failures.length], target: 0, notes: failures.slice(0, 5) },
    { name: "mails that were not read", unit: "errors", values: [unread], target: 0 },
    { name: "a mail of 50 KB, p50", unit: "ms", values: [quantile(times, 0.5)], target: null, isTime: true },
    { name: "a mail of 50 KB, p95", unit: "ms", values: [quantile(times, 0.95)], target: 30, isTime: true },
  ];
}

/** How long each takes from its first byte until it is accepted, one after the other, while those before are read. */
async function timeEach(server: BenchServer, chats: readonly Chat[], agent: Agent): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < TIMED; n += 1) {
    const mail: Letter = { id: `timed-${n}@elsewhere.example`, address: chats[n % chats.length]?.address ?? "", kind: "usual" };
    const body = source(mail);
    const start = performance.now();
    const failure = await deliver(server, { agent, mail, body });
    times.push(performance.now() - start);
    if (failure !== null) throw new Error(`A mail was not taken: ${failure}`);
  }
  return times;
}

/** What the Worker holds while the largest mails come in, beside its memory while small ones do. */
async function measureMemory({ build }: BenchContext): Promise<Figure[]> {
  const server = await startBenchServer(build, { inspect: true });
  try {
    if (server.inspectorPort === null) throw new Error("There is nothing to look into.");
    const [user] = await makeUsers(server, 1);
    if (!user) throw new Error("No account was made.");
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const chats = await makeMailChats(server, { user, agent, count: 3 * AT_ONCE });
    const inspector = await openInspector(server.inspectorPort);
    let n = 0;
    const burst = async (kind: Letter["kind"], chosen: readonly Chat[]) => {
      const letters = chosen.map(({ address }): Letter => ({ id: `memory-${(n += 1)}`, address, kind }));
      const failures = await Promise.all(letters.map((mail) => deliver(server, { agent, mail, body: source(mail) })));
      const failure = failures.find((one) => one !== null);
      if (failure !== undefined) throw new Error(`A mail was not taken: ${failure}`);
    };
    await burst("usual", chats);
    const idle = (await usedMemory(inspector)) / MB;
    const small = (await peakDuring(inspector, () => burst("usual", chats))) / MB;
    const large: number[] = [];
    for (let from = 0; from < chats.length; from += AT_ONCE)
      large.push((await peakDuring(inspector, () => burst("large", chats.slice(from, from + AT_ONCE)))) / MB);
    inspector.close();
    agent.destroy();
    return [
      { name: "the Worker's memory at rest", unit: "MB", values: [idle], target: null },
      { name: "at its peak, mails of 50 KB", unit: "MB", values: [small], target: null },
      { name: `at its peak, ${AT_ONCE} mails of 25 MiB at once`, unit: "MB", values: large, target: TARGET_MB },
    ];
  } finally {
    await server.close();
  }
}

type Asking = { user: BenchUser; agent: Agent };

async function makeMailChats(server: BenchServer, { user, agent, count }: Asking & { count: number }): Promise<Chat[]> {
  const headers = { cookie: user.cookie, origin: server.direct, "content-type": "application/json" };
  const chats: Chat[] = [];
  for (let n = 0; n < count; n += 1) {
    const made = await readAll(await send(`${server.direct}/api/chats`, { agent, headers, body: "{}" }));
    const { id } = Made.parse(JSON.parse(made)).chat;
    chats.push({ id, address: (await mailsOf(server, { user, agent, id })).address });
  }
  return chats;
}

async function mailsOf({ direct }: BenchServer, { user, agent, id }: Asking & { id: string }): Promise<z.infer<typeof Listed>> {
  const headers = { cookie: user.cookie, origin: direct };
  return Listed.parse(JSON.parse(await readAll(await send(`${direct}/api/chat/${id}/emails?limit=100`, { agent, headers }))));
}

/** Counts the rows once each mail was read, or none are any more. */
async function readRows(server: BenchServer, { user, agent, chats }: Asking & { chats: Chat[] }) {
  const end = Date.now() + READ_WITHIN_MS;
  for (;;) {
    let rows = 0;
    let unread = 0;
    for (const { id } of chats) {
      const mails = (await mailsOf(server, { user, agent, id })).emails.filter(({ direction }) => direction === "in");
      rows += mails.length;
      unread += mails.filter(
        ({ text_body: text, note, message_id: key }) => text === "" && note === null && !key?.startsWith("broken"),
      ).length;
    }
    if (unread === 0 || Date.now() > end) return { rows, unread };
    await wait(1_000);
  }
}

/** Hands a mail to the Worker's own handler; null where it was taken, else why not. */
async function deliver(server: BenchServer, { agent, mail, body }: { agent: Agent; mail: Letter; body: string }): Promise<string | null> {
  const headers = { "content-type": "message/rfc822" };
  const response = await send(`${server.mail}/?from=eve@elsewhere.example&to=${mail.address}`, { agent, headers, body });
  const text = await readAll(response);
  return response.statusCode === 200 ? null : `${response.statusCode} ${text.slice(0, 200)}`;
}

function letter(n: number, address: string): Letter {
  const share = (n % 1_000) / 1_000;
  const kind = share < LARGE ? "large" : share < LARGE + BROKEN ? "broken" : "usual";
  return { id: `${kind}-${n}@elsewhere.example`, address, kind };
}

/** A signature that costs what a real one does, as the whole body is hashed for it, and does not hold. */
const SIGNATURE =
  "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=elsewhere.example; s=s1; h=from:to:subject:message-id; bh=abc=; b=abc=";
const TOP = [...platformFields(null), SIGNATURE].join("\r\n");
const LINE = `${"QUJD".repeat(19)}\r\n`;

/** Made when it is sent, as a hundred large ones fill a machine. */
function source({ id, kind, address }: Letter): string {
  const head = `${TOP}\r\nFrom: Eve <eve@elsewhere.example>\r\nTo: ${address}\r\nSubject: Hello\r\nMessage-ID: <${id}>\r\nMIME-Version: 1.0\r\n`;
  if (kind === "broken")
    return `${head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%broken%%%\r\n--c`;
  const bytes = kind === "large" ? LARGE_BYTES : USUAL_BYTES;
  const file = LINE.repeat(Math.floor((bytes - 1_000) / LINE.length));
  return `${head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n${file}--b--\r\n`;
}
