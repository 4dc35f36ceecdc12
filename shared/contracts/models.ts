import * as z from "zod/mini";
import { Model } from "../entities/model.ts";
import { endpoint } from "./endpoint.ts";

export const listModels = endpoint("GET", "/api/models", {
  summary: "The models the caller may see: 'Auto' first, then by name without the maker's prefix",
  access: "anyone",
  /** `stale` is true when the aggregator is down and an older list is shown. */
  response: z.object({ models: z.array(Model), stale: z.boolean() }),
});
