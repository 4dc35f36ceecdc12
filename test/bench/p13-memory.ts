import { randomUUID } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { longExport } from "#test/support/exported-chat.ts";
import { type BenchServer, type BenchUser, startBenchServer } from "../../scripts/lib/bench/bench-server.ts";
import type { Bench } from "./figure.ts";
import { collectGarbage, openInspector, peakDuring, usedMemory } from "./inspector.ts";

const MB = 1024 * 1024;
const LARGEST = 50 * MB;
const AT_ONCE = 4;
/** Uploads that come slowly, all at once: each has sent all but its last chunk before any of them sends that. */
const SLOW = 24;
const SLOW_BYTES = 8 * MB;
const LAST_CHUNK_BYTES = 64 * 1024;
/** Looks at what they hold meanwhile, and milliseconds between them. */
const SAMPLES = 10;
const LOOK_MS = 100;
/** What an isolate may hold under them. */
const SLOW_TARGET_MB = 100;
/** Memory that the Worker may hold at its peak: half of what the platform gives it. */
const TARGET_MB = 64;

/** The largest recording, and a chat of 20 MB in a script of two bytes a letter, which also takes two in memory. */
const RECORDING_BYTES = 25 * MB;
const IMPORT_MESSAGES = 60;
const IMPORT_LETTERS = 165_000;

/** The Worker's memory while files, recordings and exported chats come in: its heap and the buffers beside it, garbage of its own that waits to be collected included. */
export const bench: Bench = {
  id: "P13",
  title: "Memory: 200 MB uploaded in four files at once, a recording of 25 MB, a chat of 20 MB imported, 24 slow uploads",
  async measure({ build, runs }) {
    const server = await startBenchServer(build, { inspect: true });
    try {
      if (server.inspectorPort === null) throw new Error("There is nothing to look into.");
      const inspector = await openInspector(server.inspectorPort);
      const user = await server.newUser();
      const body = new TextEncoder().encode("name,value\n".repeat(LARGEST / 11));
      const slow = body.subarray(0, SLOW_BYTES);
      await send(server, user, { method: "PUT", path: aFile(), body: body.subarray(0, MB) });
      const chat = JSON.stringify(longChat());
      const idle: number[] = [];
      const steps = [
        {
          name: "at its peak",
          target: TARGET_MB,
          work: (look: Look) => uploadAtOnce(server, user, { count: AT_ONCE, body, look }),
        },
        { name: "at its peak, transcribing", target: TARGET_MB, work: () => transcribe(server, user) },
        { name: "at its peak, importing", target: TARGET_MB, work: () => importChat(server, user, chat) },
        {
          name: "at its peak, 24 slow uploads",
          target: SLOW_TARGET_MB,
          work: (look: Look) => uploadAtOnce(server, user, { count: SLOW, body: slow, look }),
        },
        { name: "at its peak, 24 slow parts of an import", target: SLOW_TARGET_MB, work: (look: Look) => importSlowly(server, user, look) },
      ].map((step) => ({ ...step, peaks: new Array<number>() }));
      for (let run = 0; run < runs; run += 1) {
        idle.push((await usedMemory(inspector)) / MB);
        for (const { work, peaks } of steps) {
          await collectGarbage(inspector);
          peaks.push((await peakDuring(inspector, work)) / MB);
        }
      }
      inspector.close();
      return [
        { name: "at rest", unit: "MB", values: idle, target: null },
        ...steps.map(({ name, target, peaks: values }) => ({ name, unit: "MB" as const, values, target })),
      ];
    } finally {
      await server.close();
    }
  },
};

type Look = () => Promise<void>;

type Uploads = { count: number; body: Uint8Array; look: Look };

async function uploadAtOnce(server: BenchServer, user: BenchUser, { count, body, look }: Uploads): Promise<void> {
  await sendTogether(
    Array.from({ length: count }, () => begin(server, user, { method: "PUT", path: aFile(), body })),
    look,
  );
}

function aFile(): string {
  return `/api/chat/${randomUUID()}/attachments/${randomUUID()}?name=values.csv`;
}

async function importSlowly(server: BenchServer, user: BenchUser, look: Look): Promise<void> {
  const id = randomUUID();
  await post(server, user, { path: "/api/imports", body: JSON.stringify({ id, name: "export.zip", size: SLOW * SLOW_BYTES }) });
  const body = new Uint8Array(SLOW_BYTES);
  const paths = Array.from({ length: SLOW }, (_, index) => `/api/imports/${id}/parts/${index + 1}`);
  await sendTogether(
    paths.map((path) => begin(server, user, { method: "PUT", path, body })),
    look,
  );
  await post(server, user, { path: `/api/imports/${id}/cancel`, body: "{}" });
}

/** Looks at the isolate while all of them lack their last chunk, and ends them then. */
async function sendTogether(begun: Begun[], look: Look): Promise<void> {
  await Promise.all(begun.map(({ beginning }) => beginning));
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    await look();
    await wait(LOOK_MS);
  }
  await Promise.all(begun.map(({ end }) => end()));
}

async function transcribe(server: BenchServer, user: BenchUser): Promise<void> {
  const body = new Uint8Array(RECORDING_BYTES);
  // An Ogg file that is like no other, or it would be answered as before.
  body.set(new TextEncoder().encode(`OggS\n${randomUUID()}`));
  await send(server, user, { method: "POST", path: "/api/transcriptions", body });
}

async function importChat(server: BenchServer, user: BenchUser, body: string): Promise<void> {
  await post(server, user, { path: "/api/chats/import", body });
}

async function post(server: BenchServer, user: BenchUser, { path, body }: { path: string; body: string }): Promise<void> {
  await send(server, user, { method: "POST", path, body: new TextEncoder().encode(body), type: "application/json" });
}

type Sent = { method: "PUT" | "POST"; path: string; body: Uint8Array; type?: string };
type Begun = { beginning: Promise<void>; end(): Promise<void> };

async function send(server: BenchServer, user: BenchUser, sent: Sent): Promise<void> {
  await begin(server, user, sent).end();
}

/** Sends a body of an announced length but for its last chunk, which `end` does; whatever is answered but success is thrown. */
function begin({ origin }: BenchServer, { cookie }: BenchUser, { method, path, body, type }: Sent): Begun {
  const headers = {
    cookie,
    origin,
    "content-length": body.byteLength,
    ...(type !== undefined && { "content-type": type, "idempotency-key": randomUUID() }),
  };
  // A connection of its own: the runtime closes a kept one after five seconds, in which this process may have no time to notice.
  const sent = request(`${origin}${path}`, { method, headers, agent: false });
  const answer = new Promise<IncomingMessage>((resolve, reject) => sent.once("response", resolve).once("error", reject));
  const done = answer.then(async (response) => {
    const text = await textOf(response);
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 299) throw new Error(`${path} answered ${status}: ${text}`);
  });
  const most = Math.max(body.byteLength - LAST_CHUNK_BYTES, 0);
  const written = new Promise<void>((resolve) => sent.write(body.subarray(0, most), () => resolve()));
  // Whoever has answered need not read the rest.
  const beginning = Promise.race([written, done]);
  // Where nobody waits for it, its end says the same.
  beginning.catch(() => undefined);
  return {
    beginning,
    async end() {
      sent.end(body.subarray(most));
      await done;
    },
  };
}

/** A chat whose questions and answers are all long. */
function longChat(): ExportedChat {
  const { messages, ...chat } = longExport(IMPORT_MESSAGES);
  return { ...chat, messages: messages.map((message) => ({ ...message, content: "слова ".repeat(IMPORT_LETTERS / 6) })) };
}
