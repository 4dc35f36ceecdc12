import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { startAggregator } from "./aggregator/server.ts";
import { clientOf } from "./read-stream.ts";
import type { Simulator } from "./simulator.ts";

const Model = z.looseObject({
  id: z.string(),
  canonical_slug: z.string(),
  name: z.string(),
  created: z.int(),
  description: z.string(),
  context_length: z.number().nullable(),
  architecture: z.looseObject({ input_modalities: z.array(z.string()), output_modalities: z.array(z.string()) }),
  pricing: z.looseObject({ prompt: z.string().regex(/^(-1|\d+(\.\d+)?)$/), completion: z.string().regex(/^(-1|\d+(\.\d+)?)$/) }),
  top_provider: z.looseObject({ max_completion_tokens: z.number().nullable() }),
  supported_parameters: z.array(z.string()),
});
type Model = z.infer<typeof Model>;

let simulator: Simulator;
let rows: unknown[];
let models: Model[];

const read = async (path: string): Promise<unknown> =>
  (await fetch(`${simulator.url}${path}`, { headers: { Authorization: "Bearer test" } })).json();
const sum = ({ pricing }: Model): number => (Number(pricing.prompt) + Number(pricing.completion)) * 1e6;

beforeAll(async () => {
  simulator = await startAggregator();
  rows = z.object({ data: z.array(z.unknown()) }).parse(await read("/models")).data;
  models = rows.flatMap((row) => Model.safeParse(row).data ?? []);
});
afterAll(() => simulator.close());

test("the catalogue has at least 60 models of 12 vendors, and exactly one malformed row", () => {
  expect(models.length).toBeGreaterThanOrEqual(60);
  expect(rows.length - models.length).toBe(1);
  expect(new Set(models.map(({ id }) => id.split("/")[0])).size).toBeGreaterThanOrEqual(12);
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
});

test("the catalogue leaves the malformed row out for a demonstration", async () => {
  const shown = await startAggregator({ hasMalformedModel: false });
  const response = await fetch(`${shown.url}/models`, { headers: { Authorization: "Bearer test" } });
  const { data } = z.object({ data: z.array(Model) }).parse(await response.json());
  await shown.close();
  expect(data).toHaveLength(models.length);
});

test("the catalogue holds every kind that a selector has to show", () => {
  const router = models.find(({ id }) => id === "openrouter/auto");
  expect(router).toMatchObject({ name: "Auto Router", pricing: { prompt: "-1", completion: "-1" } });
  expect(models.filter((model) => sum(model) > 20).length).toBeGreaterThanOrEqual(3);
  const cheap = models.filter((model) => sum(model) >= 0 && sum(model) <= 2);
  expect(cheap.some(({ architecture }) => architecture.input_modalities.includes("image"))).toBe(true);
  expect(cheap.some(({ supported_parameters: parameters }) => parameters.includes("tools") && parameters.includes("reasoning"))).toBe(true);
  expect(models.some(({ supported_parameters: parameters }) => !parameters.includes("tools"))).toBe(true);
  expect(models.some(({ architecture }) => architecture.input_modalities.includes("file"))).toBe(true);
  expect(models.some(({ name }) => name.replace(/^.*?: /, "").length > 18)).toBe(true);
  expect(models.some(({ description }) => description.length > 200)).toBe(true);
  expect(models.filter(({ id }) => id.startsWith("anthropic/claude-opus-")).length).toBeGreaterThan(0);
  expect(models.filter(({ id }) => id.startsWith("moonshotai/kimi-k2") || id.startsWith("deepseek/")).length).toBeGreaterThan(1);
  expect(models.filter(({ id }) => id.endsWith("deep-research")).length).toBe(3);
});

test("embeddings and transcription are listed only when asked for", async () => {
  expect(models.every(({ architecture }) => architecture.output_modalities.includes("text"))).toBe(true);
  const all = z.object({ data: z.array(z.unknown()) }).parse(await read("/models?output_modalities=all")).data;
  expect(all.length).toBe(rows.length + 2);
});

test("texts with common words are embedded near each other, as the SDK reads them", async () => {
  const { data } = await clientOf(simulator).embeddings.create({
    model: "openai/text-embedding-3-small",
    input: ["a red boat", "the red boat", "seven hungry wolves"],
  });
  const vectors = data.map(({ embedding }) => embedding);
  const near = (a: number[] = [], b: number[] = []) => a.reduce((total, value, index) => total + value * (b[index] ?? 0), 0);
  expect(vectors[0]).toHaveLength(1536);
  expect(near(vectors[0], vectors[1])).toBeGreaterThan(near(vectors[0], vectors[2]) + 0.3);
});

test("a recording sent as JSON or as a form is transcribed", async () => {
  const headers = { Authorization: "Bearer test" };
  const body = JSON.stringify({ model: "openai/whisper-1", input_audio: { data: Buffer.alloc(48_000).toString("base64"), format: "wav" } });
  const json = await fetch(`${simulator.url}/audio/transcriptions`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body,
  });
  expect(await json.json()).toMatchObject({ text: expect.stringContaining("3 seconds"), usage: { seconds: 3 } });
  const form = await clientOf(simulator).audio.transcriptions.create({
    model: "openai/whisper-1",
    file: await OpenAI.toFile(Buffer.alloc(32_000), "a.wav"),
  });
  expect(form.text).toContain("seconds");
  const transcript = await clientOf(simulator).audio.transcriptions.create({
    model: "openai/whisper-1",
    file: await OpenAI.toFile(Buffer.from("RIFF\nsay Good morning\n"), "a.wav"),
  });
  expect(transcript.text).toBe("Good morning");
  const refused = clientOf(simulator).audio.transcriptions.create({
    model: "openai/whisper-1",
    file: await OpenAI.toFile(Buffer.from("RIFF\nfault 400"), "a.wav"),
  });
  await expect(refused).rejects.toMatchObject({ status: 400 });
});

test("the key's account adds up, and nothing is answered without a key", async () => {
  await clientOf(simulator, { "x-sim-first-token-ms": "0" }).chat.completions.create({
    model: "openai/gpt-5-pro",
    messages: [{ role: "user", content: "say a" }],
  });
  expect(await read("/key")).toMatchObject({ data: { limit: null, usage: expect.any(Number) } });
  expect(z.object({ data: z.object({ total_usage: z.number().positive() }) }).safeParse(await read("/credits")).success).toBe(true);
  expect((await fetch(`${simulator.url}/models`)).status).toBe(401);
});
