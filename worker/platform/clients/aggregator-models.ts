import * as z from "zod/mini";
import { MODEL_ID_LENGTH } from "#shared/limits.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { egressFetch } from "./egress.ts";
import { nullishField } from "./nullish-field.ts";

const TIMEOUT_MS = 10_000;

const Price = z.nullish(z.union([z.string(), z.number()]));
const Strings = z.nullish(z.array(z.string()));
const Tokens = nullishField(z.number());
const Id = nullishField(z.string().check(z.minLength(1), z.maxLength(MODEL_ID_LENGTH)));

const fields = {
  name: z.nullish(z.string()),
  description: z.nullish(z.string()),
  owned_by: z.nullish(z.string()),
  context_length: Tokens,
  architecture: z.nullish(z.object({ input_modalities: Strings, output_modalities: Strings })),
  /** US dollars per token; "-1" where a router decides. */
  pricing: z.nullish(
    z.object({
      prompt: Price,
      completion: Price,
      request: Price,
      image: Price,
      web_search: Price,
      internal_reasoning: Price,
      input_cache_read: Price,
      input_cache_write: Price,
      input_cache_write_1h: Price,
    }),
  ),
  top_provider: z.nullish(z.object({ context_length: z.nullish(z.number()), max_completion_tokens: z.nullish(z.number()) })),
  supported_parameters: Strings,
  /** `YYYY-MM-DD`. */
  expiration_date: z.nullish(z.string()),
};
const Fields = z.object(fields);

/** One row of `GET /models`; all but the id may be absent, as on plain OpenAI-compatible servers. */
export type AggregatorModel = z.infer<typeof Fields> & { id: string };

/** A row as servers write it: some have other names for its id, and for the tokens that it reads. */
const Row = z.pipe(
  z
    .object({ ...fields, id: Id, model_id: Id, max_model_len: Tokens, max_context_length: Tokens, context_window: Tokens })
    .check(z.refine((row) => row.id || row.model_id, { message: "A model needs an id.", path: ["id"] })),
  z.transform(({ id, model_id, max_model_len, max_context_length, context_window, ...row }): AggregatorModel => ({
    ...row,
    id: id ?? model_id ?? "",
    context_length: row.context_length ?? max_model_len ?? max_context_length ?? context_window,
  })),
);

const Listing = z.union([z.array(z.unknown()), z.object({ data: z.array(z.unknown()) })]);

/** Asks for the catalogue, within 10 s; malformed rows are left out. Throws AGGREGATOR_UNAVAILABLE. */
export async function fetchAggregatorModels(env: Env): Promise<AggregatorModel[]> {
  try {
    const { url, key } = configOf(env).aggregator;
    const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` };
    const response = await egressFetch(`${url}/models`, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`The model list answered ${response.status}`);
    const listing = Listing.parse(await response.json());
    return parseRows(Array.isArray(listing) ? listing : listing.data);
  } catch (cause) {
    throw new AppError("AGGREGATOR_UNAVAILABLE", { cause });
  }
}

/** Reads the rows one by one, so one odd row costs only itself; a list without a single sound row is a failure. */
export function parseRows(rows: readonly unknown[]): AggregatorModel[] {
  const results = rows.map((row) => Row.safeParse(row));
  const sound = results.flatMap((result) => (result.success ? [result.data] : []));
  const dropped = rows.length - sound.length;
  if (dropped > 0) {
    const first = results.find((result) => !result.success);
    log.warn("malformed rows in the model list were left out", { dropped, first: first?.error?.issues[0]?.path.join(".") });
  }
  if (rows.length > 0 && sound.length === 0) throw new Error("No row of the model list could be read");
  return sound;
}
