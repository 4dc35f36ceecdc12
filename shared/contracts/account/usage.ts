import * as z from "zod/mini";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const UsageBy = z.enum(["day", "model", "chat"]);
export type UsageBy = z.infer<typeof UsageBy>;

/** What was spent under one key: a day of UTC (`2026-11-20`), a model's id, or a chat's id with its title. US dollars. */
export const UsageRow = z.object({ key: z.string(), label: z.string(), cost: z.number(), calls: z.number() });
export type UsageRow = z.infer<typeof UsageRow>;

export const getUsage = endpoint("GET", "/api/usage", {
  summary: "What was spent, from the ledger; the newest days first, else the costliest first",
  access: "user",
  query: z.object({ by: z._default(UsageBy, "day") }),
  response: z.object({ usage: z.array(UsageRow), total: z.number(), credits: z.number() }),
});

export const downloadUsage = endpoint("GET", "/api/usage.csv", {
  summary: "Every entry of the ledger as CSV, newest first",
  access: "user",
});
