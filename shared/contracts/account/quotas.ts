import * as z from "zod/mini";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const getQuotas = endpoint("GET", "/api/quotas", {
  summary:
    "What the caller's quotas are and how much of them is used: bytes of the files in their own chats, and connections, which are live sockets and streams of replies",
  access: "user",
  response: z.object({
    storage: z.object({ used: z.number(), limit: z.number() }),
    connections: z.object({ used: z.number(), limit: z.number() }),
  }),
});
