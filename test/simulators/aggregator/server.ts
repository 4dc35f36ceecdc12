import { sendJson, startServer, type Handler, type Simulator } from "../simulator.ts";
import { answerChat } from "./chat.ts";
import { answerControl, answerEmbeddings, answerModels } from "./other-endpoints.ts";
import type { AggregatorOptions } from "./settings.ts";
import { createState } from "./state.ts";
import { noCredentials } from "./status-faults.ts";
import { answerTranscription } from "./transcription.ts";
import { defineService } from "../definition.ts";

/** Starts the model aggregator's stand-in on loopback; its `url` is the API's base, `http://127.0.0.1:PORT/api/v1`. */
export function startAggregator(options: AggregatorOptions = {}): Promise<Simulator> {
  const state = createState(options);
  return startServer({
    name: "aggregator",
    port: options.port,
    basePath: "/api/v1",
    routes: {
      "GET /models": withKey((exchange) => answerModels(state, exchange)),
      "GET /models/user": withKey((exchange) => answerModels(state, exchange)),
      "POST /chat/completions": withKey((exchange) => answerChat(state, exchange)),
      "POST /embeddings": withKey(answerEmbeddings),
      "POST /audio/transcriptions": withKey((exchange) => answerTranscription(state, exchange)),
      "GET /generation": withKey(state.ledger.find),
      "GET /key": withKey(state.ledger.key),
      "GET /credits": withKey(state.ledger.credits),
    },
    control: { "POST /control": (exchange) => answerControl(state, exchange) },
  });
}

function withKey(handler: Handler): Handler {
  return (exchange) => {
    if (/^Bearer \S+$/.test(exchange.record.headers["authorization"] ?? "")) return handler(exchange);
    const { status, body } = noCredentials();
    return sendJson(exchange.response, status, body);
  };
}

/** The models, which answer here as a demonstration. */
export const aggregator = defineService({
  start: startAggregator,
  vars: (url) => ({
    AGGREGATOR_URL: url,
    OPENROUTER_API_KEY: "simulated",
    AGGREGATOR_SIMULATED: "true",
    TRANSCRIPTION_MODEL: "openai/whisper-1",
    EMBEDDING_MODEL: "openai/text-embedding-3-small",
  }),
  realWith: ["OPENROUTER_API_KEY", "AGGREGATOR_URL"],
  row: {
    title: "Models",
    simulated: () => "a demonstration model answers",
    real: ({ AGGREGATOR_URL }) => AGGREGATOR_URL ?? "OpenRouter",
    makeReal: "OPENROUTER_API_KEY",
  },
  inTests: { options: { tokensPerSecond: 0, firstTokenMs: 0 }, canaries: { OPENROUTER_API_KEY: "canary-openrouter-key" } },
});
