import * as z from "zod";
import { sendJson, untilDisconnected, type Exchange } from "../simulator.ts";
import { embed } from "./embed.ts";
import { isStatusFault } from "./faults.ts";
import { findModel, listModels } from "./models/catalogue.ts";
import { Control, faultOf } from "./settings.ts";
import type { AggregatorState } from "./state.ts";
import { invalidRequest, modelNotFound, statusFault } from "./status-faults.ts";
import { estimateTokens } from "./tokens.ts";

/** `GET /models`. */
export async function answerModels(state: AggregatorState, { url, response, disconnected }: Exchange): Promise<void> {
  const directive = faultOf(state.control.modelsFault);
  const fault = directive && state.faultHolds(`models\n${directive.name}`, directive.times) ? directive.name : null;
  if (fault === "hang") return untilDisconnected(disconnected);
  if (fault === "cut-before" || fault === "cut") return void response.socket?.destroy();
  if (fault !== null && isStatusFault(fault)) {
    const { status, body, headers } = statusFault(fault, { model: "", prompt: "" });
    return sendJson(response, status, body, headers);
  }
  const data = listModels(url.searchParams.get("output_modalities") ?? "text", state);
  sendJson(response, 200, { data, total_count: data.length, links: { next: null } });
}

/** `POST /control`. */
export function answerControl(state: AggregatorState, { record, response }: Exchange): void {
  const parsed = Control.safeParse(record.body);
  if (!parsed.success) return sendJson(response, 400, { error: { code: 400, message: z.prettifyError(parsed.error) } });
  Object.assign(state.control, parsed.data);
  sendJson(response, 200, state.control);
}

const EmbeddingRequest = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(z.string()).min(1)]),
  dimensions: z.number().int().min(1).max(4096).optional(),
  encoding_format: z.enum(["float", "base64"]).optional(),
});

/** `POST /embeddings`: texts with common words get near vectors, so a search over them finds something. */
export function answerEmbeddings({ record, response }: Exchange): void {
  const parsed = EmbeddingRequest.safeParse(record.body);
  if (!parsed.success) return sendJson(response, 400, invalidRequest(z.prettifyError(parsed.error)).body);
  const { model, input, dimensions = 1536, encoding_format: format = "float" } = parsed.data;
  const found = findModel(model);
  if (!found) return sendJson(response, 400, modelNotFound([model]).body);
  const texts = typeof input === "string" ? [input] : input;
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  sendJson(response, 200, {
    object: "list",
    data: texts.map((text, index) => {
      const vector = embed(text, { dimensions, model });
      return {
        object: "embedding",
        index,
        embedding: format === "base64" ? Buffer.from(Float32Array.from(vector).buffer).toString("base64") : vector,
      };
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens, cost: tokens * Number(found.pricing.prompt) },
  });
}
