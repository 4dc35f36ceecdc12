import * as z from "zod/mini";
import { endpoint } from "./endpoint.ts";

export const openLive = endpoint("GET", "/api/live", {
  summary: "WebSocket of the user's live events; `cursor` asks for what was missed",
  access: "user",
  query: z.object({ cursor: z.optional(z.string().check(z.maxLength(40))) }),
});
