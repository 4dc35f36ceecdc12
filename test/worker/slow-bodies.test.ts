import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { getImport, putImportPart } from "#shared/contracts/account/imports.ts";
import { putAttachment } from "#shared/contracts/chat/attachments.ts";
import { createKnowledge, putKnowledgeFile } from "#shared/contracts/library/knowledge.ts";
import { IMPORT_PART_BYTES } from "#shared/limits.ts";
import { beginUpload } from "#test/support/imports/upload-import.ts";
import { addressOf, type Person, signIn, visit } from "#test/support/worker.ts";
import { PAUSE_MS, TRIES } from "#worker/platform/http/body-memory.ts";
import { REPORT_MS } from "#worker/platform/http/read-report.ts";

const MB = 1024 * 1024;
/** As many slow uploads as one isolate was seen to run out of memory by. */
const MANY = 24;
/** Files of five megabytes in memory for which an isolate has places. */
const PLACES = 10;
/** Reports that have hardly begun for which it has room. */
const REPORTS_AT_ONCE = 200;

let person: Person;
beforeEach(async () => {
  person = await signIn();
});
afterEach(() => void vi.restoreAllMocks());

/** `begun` once the Worker has read the beginning, for which it needs its place. */
type Slow = {
  answer: Promise<Response>;
  begun: Promise<void>;
  writer: WritableStreamDefaultWriter<Uint8Array>;
  finish(): Promise<Response>;
};

/** Sends the beginning of a body, and the rest once it is asked to; of a length that is announced, or of none. */
function slow(path: string, bytes: Uint8Array<ArrayBuffer>, { isAnnounced = true } = {}): Slow {
  const { readable, writable } = isAnnounced ? new FixedLengthStream(bytes.byteLength) : new TransformStream<Uint8Array, Uint8Array>();
  const headers = new Headers(isAnnounced ? { "content-length": String(bytes.byteLength) } : undefined);
  const answer = person.fetch(path, { method: "PUT", headers, body: readable });
  const writer = writable.getWriter();
  const half = Math.ceil(bytes.byteLength / 2);
  const begun = writer.write(bytes.subarray(0, half));
  // Of one that is broken off nobody asks.
  begun.catch(() => undefined);
  return {
    answer,
    begun,
    writer,
    async finish() {
      await begun;
      await writer.write(bytes.subarray(half));
      await writer.close();
      return answer;
    },
  };
}

const attachment = (name: string) =>
  addressOf(putAttachment, { params: { id: crypto.randomUUID(), attachmentId: crypto.randomUUID() }, query: { name } });

/** A text whose words say which one it is. */
const textOf = (index: number, bytes = MB) =>
  new Uint8Array(new TextEncoder().encode(`${String(index).padStart(7, "0")} `.repeat(bytes / 8)));

/** Waits for a place take no time while `act` runs; answers how often one was waited for. */
async function withoutWaiting<T>(act: () => Promise<T>): Promise<{ result: T; waits: number }> {
  const really = scheduler.wait.bind(scheduler);
  const wait = vi.spyOn(scheduler, "wait");
  wait.mockImplementation((ms, options) => (ms === PAUSE_MS ? Promise.resolve() : really(ms, options)));
  try {
    return { result: await act(), waits: wait.mock.calls.filter(([ms]) => ms === PAUSE_MS).length };
  } finally {
    wait.mockRestore();
  }
}

/** Where services report to without anything but a signature at their report's end. */
const REPORTS = ["/api/whatsapp/webhook", "/api/mail/webhook"];

async function jsonOf(response: Response): Promise<unknown> {
  return response.json();
}

it("many slow bodies at once that go through to storage are all let in, and are whole there", async () => {
  const { context } = await person.take(createKnowledge, { body: { name: "Slow" } });
  const bodies = Array.from({ length: MANY }, (_, index) => textOf(index));
  const knowledge = (name: string) =>
    addressOf(putKnowledgeFile, { params: { id: context.id, fileId: crypto.randomUUID() }, query: { name } });
  const sent = bodies.map((bytes, index) => slow(index % 2 ? knowledge(`${index}.txt`) : attachment(`${index}.txt`), bytes));
  const { result, waits } = await withoutWaiting(() => Promise.all(sent.map((one) => one.finish())));
  expect(waits).toBe(0);
  const answers = await Promise.all(result.map(jsonOf));
  for (const [index, answer] of answers.entries())
    expect(answer).toMatchObject(index % 2 ? { file: { file_size: MB } } : { attachment: { size: MB } });
});

it("many slow bodies at once that are parts of an import are all let in; one that breaks off is distinguished from one of another length, and comes again", async () => {
  const count = 12;
  const id = await beginUpload(person, { name: "export.zip", size: count * IMPORT_PART_BYTES });
  const part = (number: number) => addressOf(putImportPart, { params: { id, number } });
  const bytes = textOf(1, IMPORT_PART_BYTES);
  const sent = Array.from({ length: count }, (_, index) => slow(part(index + 1), bytes, { isAnnounced: index % 2 === 0 }));
  const { result, waits } = await withoutWaiting(async () => {
    const [broken, ...others] = sent;
    await broken?.writer.abort(new Error("The sender went away."));
    const answered = await Promise.all(others.map((one) => one.finish()));
    return [...answered, ...(broken ? [await broken.answer] : [])];
  });
  expect(waits).toBe(0);
  expect(result.map(({ status }) => status)).toEqual([...Array.from({ length: count - 1 }, () => 200), 400]);
  expect(await Promise.all(result.slice(-1).map(jsonOf))).toMatchObject([{ code: "UPLOAD_BROKEN" }]);
  const stored = async () => (await person.take(getImport, { params: { id } })).import.parts.toSorted((a, b) => a - b);
  expect(await stored()).toEqual(Array.from({ length: count - 1 }, (_, index) => index + 2));
  const again = async (body: Uint8Array<ArrayBuffer>) => {
    const response = await person.fetch(part(1), { method: "PUT", body });
    return { status: response.status, body: await jsonOf(response) };
  };
  expect(await again(new Uint8Array(IMPORT_PART_BYTES + 1))).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
  expect(await again(new Uint8Array(IMPORT_PART_BYTES - 1))).toMatchObject({ status: 400, body: { code: "UPLOAD_BROKEN" } });
  expect((await stored())[0]).toBe(2);
  expect(await again(bytes)).toMatchObject({ status: 200 });
  expect((await stored())[0]).toBe(1);
});

it("many slow bodies at once that have to be held are counted: whoever finds no place hears so, and loses nothing by it", async () => {
  const bytes = textOf(1);
  const slowUploads = Array.from({ length: PLACES }, (_, index) => slow(attachment(`${index}.txt`), bytes, { isAnnounced: false }));
  await Promise.all(slowUploads.map(({ begun }) => begun));
  const late = attachment("late.txt");
  const send = () => person.fetch(late, { method: "PUT", body: new Blob([bytes]).stream() });
  const { result: refused, waits } = await withoutWaiting(send);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(await jsonOf(refused)).toEqual({
    code: "RATE_LIMITED",
    error: "Too many long files are being read right now. Try again in a moment.",
  });
  expect(waits).toBe(TRIES);
  // What services report has places of its own: these are refused for their signature alone.
  for (const path of REPORTS) expect((await visit(path, { method: "POST", body: "{}" })).status).toBe(401);
  const picture = () => person.fetch("/api/user/picture", { method: "PUT", body: new Uint8Array(100) });
  expect((await withoutWaiting(picture)).result.status).toBe(429);

  const waiting = send();
  const answers = await Promise.all(slowUploads.map((one) => one.finish()));
  expect(await Promise.all(answers.map(jsonOf))).toEqual(
    answers.map(() => expect.objectContaining({ attachment: expect.objectContaining({ size: MB }) })),
  );
  expect(await jsonOf(await waiting)).toMatchObject({ attachment: { size: MB } });
  // Their places are free again.
  expect((await picture()).status).toBe(415);
});

describe("reports that nobody signed and that come slowly", () => {
  /** Begins so many, and has the ten seconds over once `clock.isLate`; `waiting` are those that began. */
  function trickle(count: number) {
    const really = scheduler.wait.bind(scheduler);
    const clock = { isLate: false, waiting: 0 };
    // Each request looks by a timer of its own, as none can be woken by another.
    const patience = async (options?: SchedulerWaitOptions) => {
      clock.waiting += 1;
      while (!clock.isLate) await really(1, options);
    };
    vi.spyOn(scheduler, "wait").mockImplementation((ms, options) => (ms === REPORT_MS ? patience(options) : really(ms, options)));
    const answers = Array.from({ length: count }, (_, index) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      void writable.getWriter().write(new TextEncoder().encode("{"));
      return visit(REPORTS[index % REPORTS.length] ?? "", { method: "POST", body: readable });
    });
    return { answers, clock };
  }

  it("reports that nobody signed and that come slowly end after ten seconds, and keep meanwhile neither uploads nor each other out", async () => {
    const { answers, clock } = trickle(MANY);
    await vi.waitFor(() => expect(clock.waiting).toBe(MANY));
    const slowUploads = Array.from({ length: PLACES }, (_, index) =>
      slow(attachment(`${index}.txt`), textOf(index), { isAnnounced: false }),
    );
    await Promise.all(slowUploads.map(({ begun }) => begun));
    const stored = await Promise.all(slowUploads.map((one) => one.finish()));
    expect(stored.map(({ status }) => status)).toEqual(stored.map(() => 201));
    expect((await visit(REPORTS[0] ?? "", { method: "POST", body: "{}" })).status).toBe(401);
    clock.isLate = true;
    const ended = await Promise.all(answers);
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 408));
    expect(await Promise.all(ended.map(jsonOf))).toEqual(ended.map(() => expect.objectContaining({ code: "REQUEST_TIMEOUT" })));
  });

  it("reports that nobody signed and that come slowly are refused, and they alone, where there are more than an isolate has room for", async () => {
    const { answers, clock } = trickle(REPORTS_AT_ONCE + 1);
    const refused = await Promise.race(answers);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).toBe("5");
    const file = await person.fetch(attachment("beside.txt"), { method: "PUT", body: textOf(1) });
    expect(file.status).toBe(201);
    clock.isLate = true;
    const ended = await Promise.all(answers);
    expect(ended.filter(({ status }) => status === 408).length).toBe(REPORTS_AT_ONCE);
    vi.restoreAllMocks();
    expect((await visit(REPORTS[0] ?? "", { method: "POST", body: "{}" })).status).toBe(401);
  });
});
