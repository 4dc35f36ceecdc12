/** Texts of scanned PDFs, by the aggregator's `file-parser`. */
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { toDataUrl } from "#worker/platform/clients/data-url.ts";
import { plausibleCost } from "../completion-chunks.ts";
import { egressFetch } from "../egress.ts";
import { readUpTo } from "../read-up-to.ts";

/** Hundreds of pages take minutes. */
const TIMEOUT_MS = 10 * 60_000;
/** An answer's bytes: hundreds of pages of text, with small pictures of what stands on them. */
const MAX_BYTES = 24 * 1024 * 1024;

const Part = z.object({ type: z.string(), text: z.nullish(z.string()) });
const Annotation = z.object({ type: z.string(), file: z.nullish(z.object({ content: z.nullish(z.array(Part)) })) });
const Answer = z.object({
  choices: z.array(z.object({ message: z.object({ annotations: z.nullish(z.array(Annotation)) }) })),
  usage: z.nullish(z.object({ cost: z.nullish(z.number()) })),
});

/** The texts that were read, in the pages' order, and what that cost in US dollars; null where the server doesn't say. */
export type ReadScan = { texts: string[]; dollars: number | null };

/** Thrown where a scan could not be read. */
export class ScanError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ScanError";
  }
}

/** Has a PDF read as pictures; the model, which has to be asked something, is asked for next to nothing. Throws ScanError. */
export async function readScan(env: Env, { model, name, bytes }: { model: string; name: string; bytes: Uint8Array }): Promise<ReadScan> {
  const { url, key } = configOf(env).aggregator;
  const content = [
    { type: "text", text: "Answer with OK." },
    { type: "file", file: { filename: name, file_data: toDataUrl("application/pdf", bytes) } },
  ];
  try {
    const response = await egressFetch(`${url}/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key ?? "none"}`, "content-type": "application/json" },
      body: JSON.stringify({
        model,
        messages: [{ role: "user", content }],
        plugins: [{ id: "file-parser", pdf: { engine: "mistral-ocr" } }],
        max_completion_tokens: 16,
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answered = response.body && (await readUpTo(response.body, MAX_BYTES));
    const text = answered ? new TextDecoder().decode(answered) : "";
    if (!response.ok) throw new ScanError(`The model ${model} answered ${response.status}.`);
    const { choices, usage } = Answer.parse(JSON.parse(text));
    const parts = (choices[0]?.message.annotations ?? []).flatMap(({ type, file }) => (type === "file" ? (file?.content ?? []) : []));
    const texts = parts.flatMap((part) => (part.type === "text" && part.text ? [part.text] : [])).filter((part) => !WRAPPER.test(part));
    return { texts, dollars: plausibleCost(usage?.cost) };
  } catch (cause) {
    throw cause instanceof ScanError ? cause : new ScanError("A scan could not be read.", { cause });
  }
}

/** What marks the beginning and the end of the file among its texts. */
const WRAPPER = /^\s*<\/?file\b[^>]*>\s*$/i;
