import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getSession } from "#shared/contracts/account/auth.ts";
import { createChat } from "#shared/contracts/chat/chats.ts";
import { transcribe } from "#shared/contracts/chat/transcriptions.ts";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { ErrorBody } from "#shared/errors.ts";
import { RECORDING_BYTES } from "#shared/limits.ts";
import { type Changes, deploymentWith } from "#test/support/deployment.ts";
import { type Client, signIn, visitor } from "#test/support/worker.ts";
import { recordingType } from "#worker/platform/clients/recording-type.ts";
import { configOf } from "#worker/platform/env.ts";
import { featuresOf } from "#worker/people/auth/features.ts";
import { PAUSE_MS, TRIES } from "#worker/platform/http/body-memory.ts";

/** A recording that says what the stand-in makes of it, and is like no other. */
function recording(...lines: string[]): string {
  return ["OggS", ...lines, crypto.randomUUID()].join("\n");
}

async function send(client: Client, body: BodyInit, headers: Record<string, string> = {}) {
  const response = await client.fetch("/api/transcriptions", { method: "POST", body, headers });
  const json: unknown = await response.json();
  return response.ok
    ? { status: response.status, text: transcribe.response?.parse(json).text }
    : { status: response.status, ...ErrorBody.parse(json) };
}

async function entriesOf(userId: string) {
  return runInDurableObject(env.USER_HUB.getByName(userId), (_, state) => ({
    ledger: state.storage.sql
      .exec<{ model_id: string; amount_micros: number }>("SELECT model_id, amount_micros FROM ledger WHERE what = 'transcription'")
      .toArray(),
    reservationCount: state.storage.sql.exec("SELECT 1 FROM reservations").toArray().length,
  }));
}

/** The forms that the service is asked with from now on. */
function watchService(): FormData[] {
  const forms: FormData[] = [];
  const really = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith("/audio/transcriptions")) forms.push(await request.clone().formData());
    return really(request);
  });
  return forms;
}

beforeEach(() => {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
});
afterEach(() => void vi.restoreAllMocks());

it("a recording becomes its words, asked for as a form with the file and the model, and charged at the price that is given", async () => {
  const user = await signIn();
  const forms = watchService();
  const body = recording("say Book a table for two");
  expect(await send(user, body)).toEqual({ status: 200, text: "Book a table for two" });
  const [form] = forms;
  expect(form?.get("model")).toBe("openai/whisper-1");
  const file = form?.get("file");
  expect(file instanceof File && [file.name, file.type, await file.text()]).toEqual(["recording.ogg", "audio/ogg", body]);
  expect(await entriesOf(user.user.id)).toEqual({ ledger: [{ model_id: "openai/whisper-1", amount_micros: -100 }], reservationCount: 0 });
  expect((await user.take(getUsage, { query: { by: "model" } })).usage).toMatchObject([{ key: "openai/whisper-1", cost: 0.0001 }]);
});

it("a recording is transcribed and paid once a day, however often it is sent", async () => {
  const user = await signIn();
  const forms = watchService();
  const body = recording("say Once");
  const answers = await Promise.all([send(user, body), send(user, body)]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await send(user, body)).toEqual({ status: 200, text: "Once" });
  expect((await entriesOf(user.user.id)).ledger).toHaveLength(1);
  expect(forms).toHaveLength(1);
});

it("a recording of another content under the same Idempotency-Key is refused", async () => {
  const user = await signIn();
  const headers = { "idempotency-key": "k" };
  expect(await send(user, recording("say One"), headers)).toEqual({ status: 200, text: "One" });
  expect(await send(user, recording("say Two"), headers)).toMatchObject({ status: 409, code: "CONFLICT" });
});

it("a recording whose price nobody gives costs what its length does, as far as that is known, and reserves nothing", async () => {
  const sound = "~".repeat(9_950);
  const paid = async (...lines: string[]) => {
    const user = await signIn();
    const body = recording(...lines);
    expect(await send(user, body)).toEqual({ status: 200, text: "Long" });
    const { ledger, reservationCount } = await entriesOf(user.user.id);
    expect(reservationCount).toBe(0);
    return ledger.map(({ amount_micros: micros }) => micros);
  };
  // Ten thousand bytes are a second to the stand-in, and three at 32 kbit/s.
  expect(await paid("say Long", sound, "no-cost")).toEqual([-100]);
  expect(await paid("say Long", sound, "no-usage")).toEqual([-300]);
});

it.each([
  ["as its header gives it", {}, 200],
  // Else it is taken for 24 seconds at 32 kbit/s.
  ["not as a header that does not add up", { rate: 960_000 }, 2_500],
  ["not as a header of sound that nobody records", { rate: 960_000, perSecond: 480_000 }, 2_500],
  ["not as a header of sound that is compressed", { tag: 2 }, 2_500],
  ["not as a header in another place", { chunk: "JUNK" }, 2_500],
])("a recording as WAV has its length %s", async (_, said, micros) => {
  const { rate, perSecond, tag, chunk } = { rate: 96_000, perSecond: 48_000, tag: 1, chunk: "fmt ", ...said };
  const body = new Uint8Array(96_044);
  const head = new DataView(body.buffer);
  body.set(new TextEncoder().encode(`RIFF....WAVE${chunk}`));
  head.setUint16(20, tag, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, perSecond, true);
  head.setUint32(28, rate, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  body.set(new TextEncoder().encode("\nsay Wave\nno-usage\n"), 44);
  const user = await signIn();
  expect(await send(user, body)).toEqual({ status: 200, text: "Wave" });
  expect((await entriesOf(user.user.id)).ledger).toEqual([{ model_id: "openai/whisper-1", amount_micros: -micros }]);
});

it("a recording is asked for and paid once under whatever keys it is sent, together or not", async () => {
  const user = await signIn();
  const forms = watchService();
  const body = recording("say Twice");
  const sent = ["one", "two"].map((key) => send(user, body, { "idempotency-key": key }));
  for (const answer of await Promise.all(sent)) expect(answer).toEqual({ status: 200, text: "Twice" });
  expect(await send(user, body, { "idempotency-key": "three" })).toEqual({ status: 200, text: "Twice" });
  expect(await send(user, body)).toEqual({ status: 200, text: "Twice" });
  expect(forms).toHaveLength(1);
  expect((await entriesOf(user.user.id)).ledger).toHaveLength(1);
});

it("a recording is paid each time that the service is asked, also twice on one day", async () => {
  const user = await signIn();
  const forms = watchService();
  const body = recording("say Again");
  expect(await send(user, body)).toEqual({ status: 200, text: "Again" });
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, state) => state.storage.sql.exec("DELETE FROM answers"));
  expect(await send(user, body)).toEqual({ status: 200, text: "Again" });
  expect(forms).toHaveLength(2);
  expect((await entriesOf(user.user.id)).ledger).toHaveLength(2);
});

it("a recording is refused without credits, and nothing is asked", async () => {
  const user = await signIn();
  await user.take(getUsage, { query: { by: "day" } });
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, state) => {
    state.storage.sql.exec("UPDATE ledger SET balance_micros = 0");
  });
  const forms = watchService();
  expect(await send(user, recording("say Unpaid"))).toMatchObject({ status: 402, code: "INSUFFICIENT_CREDITS" });
  expect(forms).toEqual([]);
});

it("a recording counts among the turns that one person may begin in a minute", async () => {
  const user = await signIn();
  await runInDurableObject(env.USER_HUB.getByName(user.user.id), (_, state) => {
    state.storage.sql.exec("UPDATE hub SET turns_at = ?", JSON.stringify(Array.from({ length: 30 }, () => Date.now())));
  });
  const response = await user.fetch("/api/transcriptions", { method: "POST", body: recording("say Too many") });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
});

it.each([
  ["500", 502, "TRANSCRIPTION_FAILED", "cannot be reached"],
  ["429", 502, "TRANSCRIPTION_FAILED", "busy"],
  ["402", 502, "TRANSCRIPTION_FAILED", "not available"],
  ["400", 415, "RECORDING_TYPE", "could not read"],
  ["502-html", 502, "TRANSCRIPTION_FAILED", "cannot be reached"],
  ["cut", 502, "TRANSCRIPTION_FAILED", "cannot be reached"],
])("a recording that meets a %s of the service is refused in words, and may be sent again", async (fault, status, code, words) => {
  const user = await signIn();
  const body = recording("say At last", `fault ${fault} times 1`);
  expect(await send(user, body)).toMatchObject({ status, code, error: expect.stringContaining(words) });
  expect(await entriesOf(user.user.id)).toEqual({ ledger: [], reservationCount: 0 });
  expect(await send(user, body)).toEqual({ status: 200, text: "At last" });
});

it("a recording is known by its bytes, and has at most 25 MB whatever its headers say", async () => {
  const user = await signIn();
  const bytes = (...codes: number[]) => new Uint8Array(codes);
  const text = (words: string) => new TextEncoder().encode(words);
  expect(recordingType(bytes(0x1a, 0x45, 0xdf, 0xa3, 1))?.extension).toBe("webm");
  expect(recordingType(text("\0\0\0\x20ftypM4A "))?.extension).toBe("mp4");
  expect(recordingType(text("RIFF\0\0\0\0WAVE"))?.extension).toBe("wav");
  for (const body of ["", "Ogg", "<html>", "RIFF\0\0\0\0WEBP"]) {
    expect(await send(user, body, { "content-type": "audio/webm" })).toMatchObject({ status: 415, code: "RECORDING_TYPE" });
  }
  const large = new Uint8Array(RECORDING_BYTES + 1);
  large.set(text("OggS"));
  const tooLong = new ReadableStream({
    start(controller) {
      controller.enqueue(large);
      controller.close();
    },
  });
  expect(await send(user, tooLong)).toMatchObject({ status: 413, code: "RECORDING_TOO_LARGE" });
});

it("a recording waits while its isolate holds as many as it can, and hears so after a while", async () => {
  const user = await signIn();
  const openEnded = () => new TransformStream<Uint8Array, Uint8Array>();
  // Without a known length: room is made for the longest.
  const [one, two] = [openEnded(), openEnded()];
  const uploads = [one, two].map((stream) => send(user, stream.readable));
  const writers = [one, two].map((stream) => stream.writable.getWriter());
  await Promise.all(writers.map((writer, index) => writer.write(new TextEncoder().encode(recording(`say ${index}`)))));

  const really = scheduler.wait.bind(scheduler);
  const waits = vi.spyOn(scheduler, "wait");
  waits.mockImplementation((ms, options) => (ms === PAUSE_MS ? Promise.resolve() : really(ms, options)));
  const last = recording("say At last");
  expect(await send(user, last)).toMatchObject({ status: 502, code: "TRANSCRIPTION_FAILED", error: expect.stringContaining("Too many") });
  expect(waits.mock.calls.filter(([ms]) => ms === PAUSE_MS)).toHaveLength(TRIES);
  waits.mockRestore();

  const waiting = send(user, last);
  await Promise.all(writers.map((writer) => writer.close()));
  expect(await Promise.all(uploads)).toEqual([
    { status: 200, text: "0" },
    { status: 200, text: "1" },
  ]);
  expect(await waiting).toEqual({ status: 200, text: "At last" });
});

it("a recording of a guest is none: they are asked to sign in", async () => {
  const guest = visitor();
  await guest.take(createChat, { body: {} });
  expect(await send(guest, recording())).toMatchObject({ status: 401, code: "SIGN_IN_REQUIRED" });
});

it("the service is the aggregator where that is known to transcribe, or one of its own with its own key", async () => {
  const serviceOf = (changes: Changes) => configOf(deploymentWith(changes)).transcription;
  const own = { TRANSCRIPTION_URL: "http://127.0.0.1:9/v1" };
  expect(serviceOf(own)).toEqual({ url: "http://127.0.0.1:9/v1", key: undefined, model: "openai/whisper-1", price: 0.006 });
  expect(["0", "0.02", ""].map((given) => serviceOf({ ...own, TRANSCRIPTION_PRICE: given })?.price)).toEqual([0, 0.02, 0.006]);
  const plain = { TRANSCRIPTION_MODEL: undefined };
  expect(serviceOf(plain)).toBeNull();
  expect(serviceOf({ ...plain, AGGREGATOR_URL: undefined })).toMatchObject({
    url: "https://openrouter.ai/api/v1",
    model: "openai/whisper-1",
  });
  expect(featuresOf(deploymentWith(plain)).transcription).toBe(false);
  expect((await visitor().take(getSession, {})).features.transcription).toBe(true);
});
