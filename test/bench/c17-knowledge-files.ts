import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { deflate, largePdf, zip } from "#test/support/office-files.ts";
import { type BenchServer, type BenchUser, startBenchServer } from "../../scripts/lib/bench/bench-server.ts";
import type { Bench } from "./figure.ts";
import { collectGarbage, openInspector, peakDuring, usedMemory } from "./inspector.ts";

const MB = 1024 * 1024;
/** Each with a picture: what makes a PDF large. */
const pages = Array.from({ length: 200 }, (_, at) => `Chapter ${at + 1} tells of what the harbour master wrote down that day. `.repeat(20));
const ROWS = 100_000;
/** Memory that the Worker may hold at its peak, as for uploads (P13): half of what the platform gives it. */
const TARGET_MB = 64;
const LOOK_MS = 200;
const PATIENCE_MS = 10 * 60_000;

const Entry = z.looseObject({ context: z.looseObject({ user_context_files: z.array(z.looseObject({ sync_status: z.string() })) }) });

/** The largest files of knowledge, from their first byte until they are read: the time, and the Worker's memory at its peak. */
export const bench: Bench = {
  id: "C17",
  topic: "knowledge",
  title: "Knowledge: a PDF of 50 MB, and a sheet of 100,000 rows",
  async measure({ build, runs }) {
    const server = await startBenchServer(build, { inspect: true });
    try {
      if (server.inspectorPort === null) throw new Error("There is nothing to look into.");
      const inspector = await openInspector(server.inspectorPort);
      const user = await server.newUser();
      const files = { "large.pdf": largePdf(pages, 50 * MB), "rows.xlsx": await largeSheet() };
      const figures = [];
      for (const [name, body] of Object.entries(files)) {
        const [peaks, seconds]: [number[], number[]] = [[], []];
        for (let run = 0; run < runs; run += 1) {
          await collectGarbage(inspector);
          const begun = performance.now();
          peaks.push((await peakDuring(inspector, () => addAndRead(server, user, { name, body }))) / MB);
          seconds.push(performance.now() - begun);
        }
        figures.push(
          { name: `${name}, at its peak`, unit: "MB" as const, values: peaks, target: TARGET_MB },
          { name: `${name}, until it is read`, unit: "ms" as const, values: seconds, target: null, isTime: true },
        );
      }
      await collectGarbage(inspector);
      const rest = (await usedMemory(inspector)) / MB;
      inspector.close();
      return [...figures, { name: "at rest afterwards", unit: "MB", values: [rest], target: null }];
    } finally {
      await server.close();
    }
  },
};

async function addAndRead(server: BenchServer, user: BenchUser, { name, body }: { name: string; body: Uint8Array<ArrayBuffer> }) {
  const [entryId, fileId] = [randomUUID(), randomUUID()];
  const json = { "content-type": "application/json", "idempotency-key": randomUUID() };
  await ask(server, user, { method: "POST", path: "/api/user-contexts", headers: json, body: JSON.stringify({ id: entryId, name }) });
  const path = `/api/user-contexts/${entryId}`;
  await ask(server, user, { method: "PUT", path: `${path}/files/${fileId}?name=${name}`, headers: {}, body });
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await wait(LOOK_MS)) {
    const { context } = Entry.parse(await ask(server, user, { method: "GET", path, headers: {} }));
    if (context.user_context_files.every(({ sync_status: status }) => status !== "pending")) return;
  }
  throw new Error(`${name} was not read`);
}

type Asked = { method: string; path: string; headers: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> };

async function ask({ origin }: BenchServer, { cookie }: BenchUser, { method, path, headers, body }: Asked): Promise<unknown> {
  const send = () => fetch(`${origin}${path}`, { method, headers: { cookie, origin, ...headers }, ...(body !== undefined && { body }) });
  // A connection that the server has just closed for being idle is met again.
  const response = await send().catch(send);
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** A workbook of one sheet with as many rows as are promised. */
async function largeSheet(): Promise<Uint8Array<ArrayBuffer>> {
  const rows = Array.from(
    { length: ROWS },
    (_, at) =>
      `<row r="${at + 1}"><c r="A${at + 1}"><v>${at}</v></c><c r="B${at + 1}" t="inlineStr"><is><t>Customer ${at} of the northern district</t></is></c><c r="C${at + 1}"><v>${(at * 7919) % 10_007}</v></c></row>`,
  ).join("");
  const sheet = encoder.encode(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
  const part = (name: string, text: string) => ({ name, bytes: encoder.encode(text) });
  return new Uint8Array(
    zip([
      part("xl/workbook.xml", '<workbook><sheets><sheet name="Customers" sheetId="1" r:id="rId1"/></sheets></workbook>'),
      part("xl/_rels/workbook.xml.rels", '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'),
      { name: "xl/worksheets/sheet1.xml", bytes: sheet, packed: await deflate(sheet) },
    ]),
  );
}

const encoder = new TextEncoder();
