import { randomUUID } from "node:crypto";
import type { ExportedChat } from "#shared/sharing/exported-chat.ts";
import { longExport } from "#test/support/exported-chat.ts";
import { type BenchServer, type BenchUser, startBenchServer } from "../../scripts/lib/bench/bench-server.ts";
import type { Bench } from "./figure.ts";
import { openInspector, peakDuring, usedMemory } from "./inspector.ts";

const MB = 1024 * 1024;
const LARGEST = 50 * MB;
const AT_ONCE = 4;
/** Memory that the Worker may hold at its peak (quality.md, P13): half of what the platform gives it. */
const TARGET_MB = 64;

/** The largest recording, and a chat of 20 MB in a script of two bytes a letter, which also takes two in memory. */
const RECORDING_BYTES = 25 * MB;
const IMPORT_MESSAGES = 60;
const IMPORT_LETTERS = 165_000;

/** The Worker's memory while files, recordings and exported chats come in: its heap and the buffers beside it, garbage that waits to be collected included. */
export const bench: Bench = {
  id: "P13",
  title: "Memory: 200 MB uploaded in four files at once, a recording of 25 MB, a chat of 20 MB imported",
  async measure({ build, runs }) {
    const server = await startBenchServer(build, { inspect: true });
    try {
      if (server.inspectorPort === null) throw new Error("There is nothing to look into.");
      const inspector = await openInspector(server.inspectorPort);
      const user = await server.newUser();
      const body = new TextEncoder().encode("name,value\n".repeat(LARGEST / 11));
      await put(server, user, body.subarray(0, MB));
      const idle: number[] = [];
      const peaks: number[] = [];
      const recordings: number[] = [];
      const imports: number[] = [];
      const chat = JSON.stringify(longChat());
      for (let run = 0; run < runs; run += 1) {
        idle.push((await usedMemory(inspector)) / MB);
        peaks.push((await peakDuring(inspector, () => Promise.all(Array.from({ length: AT_ONCE }, () => put(server, user, body))))) / MB);
        recordings.push((await peakDuring(inspector, () => transcribe(server, user))) / MB);
        imports.push((await peakDuring(inspector, () => importChat(server, user, chat))) / MB);
      }
      inspector.close();
      return [
        { name: "at rest", unit: "MB", values: idle, target: null },
        { name: "at its peak", unit: "MB", values: peaks, target: TARGET_MB },
        { name: "at its peak, transcribing", unit: "MB", values: recordings, target: TARGET_MB },
        { name: "at its peak, importing", unit: "MB", values: imports, target: TARGET_MB },
      ];
    } finally {
      await server.close();
    }
  },
};

async function put({ origin }: BenchServer, { cookie }: BenchUser, body: Uint8Array<ArrayBuffer>): Promise<void> {
  const path = `/api/chat/${randomUUID()}/attachments/${randomUUID()}?name=values.csv`;
  const response = await fetch(`${origin}${path}`, { method: "PUT", headers: { cookie, origin }, body });
  if (!response.ok) throw new Error(`An upload answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function transcribe({ origin }: BenchServer, { cookie }: BenchUser): Promise<void> {
  const body = new Uint8Array(RECORDING_BYTES);
  // An Ogg file that is like no other, or it would be answered as before.
  body.set(new TextEncoder().encode(`OggS\n${randomUUID()}`));
  const response = await fetch(`${origin}/api/transcriptions`, { method: "POST", headers: { cookie, origin }, body });
  if (!response.ok) throw new Error(`A recording answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

async function importChat({ origin }: BenchServer, { cookie }: BenchUser, body: string): Promise<void> {
  // As the product's own page sends it.
  const headers = { cookie, origin, "content-type": "application/json", "idempotency-key": randomUUID() };
  const response = await fetch(`${origin}/api/chats/import`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`An import answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** A chat whose questions and answers are all long. */
function longChat(): ExportedChat {
  const { messages, ...chat } = longExport(IMPORT_MESSAGES);
  return { ...chat, messages: messages.map((message) => ({ ...message, content: "слова ".repeat(IMPORT_LETTERS / 6) })) };
}
