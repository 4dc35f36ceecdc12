import * as z from "zod/mini";

/** The model of a turn as the aggregator takes it, with what is needed to compute a cost it doesn't report. Prices are US dollars per token. */
export const TurnModel = z.object({
  /** What was asked: a model's id, or `auto`. */
  requestedId: z.string(),
  /** What the aggregator is asked for. */
  aggregatorId: z.string(),
  /** Ids the router may choose from; null for all of them, or where no router is asked. */
  routerModels: z.nullable(z.array(z.string())),
  contextLength: z.nullable(z.number()),
  promptPrice: z.nullable(z.number()),
  completionPrice: z.nullable(z.number()),
  /** What a token may cost where no price is known; null where nobody names prices. */
  assumedPrice: z._default(z.nullable(z.object({ prompt: z.number(), completion: z.number() })), null),
  /** What it costs besides, in US dollars: a request, a picture, a token that was kept, is kept for minutes or for an hour, and one that is thought; null where that is nothing. */
  fees: z._default(
    z.nullable(
      z.object({
        request: z.number(),
        picture: z.number(),
        cacheReadToken: z._default(z.number(), 0),
        cacheWriteToken: z.number(),
        cacheWriteHourToken: z._default(z.number(), 0),
        reasoningToken: z.number(),
      }),
    ),
    null,
  ),
  /** The most tokens that it writes at a time. */
  maxOutput: z._default(z.nullable(z.number()), null),
  /** Whether it can call tools. */
  tools: z._default(z.boolean(), false),
  /** Whether it sees pictures, and whether it takes PDFs as they are. */
  vision: z._default(z.boolean(), false),
  takesFiles: z._default(z.boolean(), false),
});
export type TurnModel = z.infer<typeof TurnModel>;
