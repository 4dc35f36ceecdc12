import { Agent } from "node:http";
import { platformFields } from "../simulators/smtp/platform-fields.ts";
import { type Bench, type Figure, quantile } from "./figure.ts";
import { readAll, send } from "./load/turn-client.ts";
import { makeUsers } from "./seed.ts";

/** All mails, those of one chat, and how many of them come again, are broken, or as large as the platform takes. */
const MAILS = Number(process.env["BENCH_MAILS"] ?? 10_000);
const A_CHAT = 50;
const REPEATED = 0.2;
const BROKEN = 0.05;
const LARGE = 0.01;
const USUAL_BYTES = 50 * 1024;
const LARGE_BYTES = 25 * 1024 * 1024 - 4_096;
const AT_ONCE = 4;

type Letter = { address: string; body: string; kind: "usual" | "broken" | "large" };

/** A burst of strangers' mail: each is one row, whatever comes again, and nothing breaks. */
export const bench: Bench = {
  id: "R4",
  title: `${MAILS.toLocaleString("en")} mails, some again, some broken, some of 25 MiB`,
  async measure({ serve }) {
    const server = await serve();
    const [user] = await makeUsers(server, 1);
    if (!user) throw new Error("No account was made.");
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const headers = { cookie: user.cookie, origin: server.origin, "content-type": "application/json" };

    async function ask(path: string, body?: string): Promise<string> {
      const response = await send(`${server.origin}${path}`, { agent, headers, ...(body !== undefined && { body }) });
      return readAll(response);
    }

    const chats: { id: string; address: string }[] = [];
    for (let n = 0; n < Math.ceil(MAILS / A_CHAT); n += 1) {
      const id = /"id":"([^"]+)"/.exec(await ask("/api/chats", "{}"))?.[1] ?? "";
      chats.push({ id, address: /"address":"([^"]+)"/.exec(await ask(`/api/chat/${id}/emails`))?.[1] ?? "" });
    }
    const distinct = Math.round(MAILS * (1 - REPEATED));
    const letters = Array.from({ length: distinct }, (_, n) => letter(n, chats[n % chats.length]?.address ?? ""));
    const repeats = Array.from({ length: MAILS - distinct }, (_, n) => letters[(n * 7) % distinct] ?? letter(0, ""));
    const all = [...letters, ...repeats].toSorted(
      (one, other) => one.body.length - other.body.length || one.address.localeCompare(other.address),
    );

    const times: number[] = [];
    const failures: string[] = [];
    let next = 0;
    async function work(): Promise<void> {
      for (let mail = all[next++]; mail; mail = all[next++]) {
        const start = performance.now();
        const response = await send(`${server.origin}/cdn-cgi/local/email?from=eve@elsewhere.example&to=${mail.address}&format=json`, {
          agent,
          headers: { "content-type": "message/rfc822" },
          body: source(mail),
        });
        const text = await readAll(response);
        if (mail.kind === "usual") times.push(performance.now() - start);
        if (!text.includes('"outcome":"ok"') || /"rejectReason":"/.test(text)) failures.push(text.slice(0, 200));
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, () => work()));
    let rows = 0;
    for (const { id } of chats) rows += (await ask(`/api/chat/${id}/emails?limit=100`)).split('"direction":"in"').length - 1;
    agent.destroy();
    const wrong: Figure = { name: "rows more or fewer than mails", unit: "errors", values: [Math.abs(rows - distinct)], target: 0 };
    const refused: Figure = {
      name: "mails that were not taken",
      unit: "errors",
      values: [failures.length],
      target: 0,
      notes: failures.slice(0, 5),
    };
    const p50: Figure = { name: "a mail of 50 KB, p50", unit: "ms", values: [quantile(times, 0.5)], target: null, isTime: true };
    const p95: Figure = { name: "a mail of 50 KB, p95", unit: "ms", values: [quantile(times, 0.95)], target: 30, isTime: true };
    return [wrong, refused, p50, p95];
  },
};

function letter(n: number, address: string): Letter {
  const share = (n % 1_000) / 1_000;
  const kind = share < LARGE ? "large" : share < LARGE + BROKEN ? "broken" : "usual";
  return { address, kind, body: `Message-ID: <${n}@elsewhere.example>` };
}

const TOP = platformFields("mx.cloudflare.net; dmarc=pass header.from=elsewhere.example").join("\r\n");

/** Made when it is sent, as a hundred large ones fill a machine. */
function source({ body, kind, address }: Letter): string {
  const head = `${TOP}\r\nFrom: Eve <eve@elsewhere.example>\r\nTo: ${address}\r\nSubject: Hello\r\n${body}\r\nMIME-Version: 1.0\r\n`;
  if (kind === "broken")
    return `${head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Transfer-Encoding: base64\r\n\r\n%%%broken%%%\r\n--c`;
  const bytes = kind === "large" ? LARGE_BYTES : USUAL_BYTES;
  const line = `${"QUJD".repeat(19)}\r\n`;
  const file = line.repeat(Math.floor((bytes - 1_000) / line.length));
  return `${head}Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nHello\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=a.pdf\r\n\r\n${file}--b--\r\n`;
}
