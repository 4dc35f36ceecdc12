import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import * as z from "zod";
import { findPages } from "../fixed-web/fixed-web.ts";
import type { WebPage } from "../fixed-web/page.ts";
import { createQueryFaults, type QueryFault } from "../query-fault.ts";
import { sendJson, startServer, untilDisconnected, type Exchange, type Simulator } from "../simulator.ts";
import { defineService } from "../definition.ts";

export type ParallelOptions = { port?: number };

const Domains = z.array(z.string().min(1));

/** Every object is closed: the service refuses keys that it doesn't know. */
const SearchRequest = z.strictObject({
  search_queries: z.array(z.string().min(1)).min(1),
  objective: z.string().nullish(),
  mode: z.enum(["turbo", "fast", "basic", "advanced"]).nullish(),
  max_chars_total: z.int().min(1).nullish(),
  client_model: z.string().nullish(),
  session_id: z.string().max(1000).nullish(),
  advanced_settings: z
    .strictObject({
      source_policy: z
        .strictObject({ include_domains: Domains.optional(), exclude_domains: Domains.optional(), after_date: z.iso.date().optional() })
        .optional(),
      fetch_policy: z
        .strictObject({
          max_age_seconds: z.int().min(600).optional(),
          timeout_seconds: z.number().optional(),
          disable_cache_fallback: z.boolean().optional(),
        })
        .optional(),
      excerpt_settings: z.strictObject({ max_chars_per_result: z.int().min(1).optional() }).optional(),
      location: z.string().length(2).optional(),
      max_results: z.int().min(1).max(100).optional(),
    })
    .nullish(),
});
type SearchRequest = z.infer<typeof SearchRequest>;

const MAX_DOMAINS = 200;

const FAULTS: Record<Exclude<QueryFault, "hang" | "html">, [number, string]> = {
  "400": [400, "Bad request"],
  "401": [401, "Unauthorized: invalid or missing credentials"],
  "402": [402, "Payment required: insufficient credit in account"],
  "422": [422, "Request validation error"],
  "429": [429, "Rate limited"],
  "500": [500, "Internal error"],
};

/** Starts Parallel's stand-in on loopback: `POST /v1/search` over the fixed web. */
export function startParallel(options: ParallelOptions = {}): Promise<Simulator> {
  const faultOf = createQueryFaults();
  return startServer({
    name: "parallel",
    port: options.port,
    routes: { "POST /v1/search": (exchange) => search(exchange, faultOf) },
    fallback: ({ response }) => refuse(response, 404, "Not found"),
  });
}

function search({ record, response, disconnected }: Exchange, faultOf: ReturnType<typeof createQueryFaults>): void | Promise<void> {
  if (!record.headers["x-api-key"]) return refuse(response, 401, FAULTS["401"][1]);
  const parsed = SearchRequest.safeParse(record.body);
  if (!parsed.success) return refuse(response, 422, "Request validation error", { errors: parsed.error.issues });
  const request = parsed.data;
  const asked = [request.objective ?? "", ...request.search_queries].join("\n");
  const fault = faultOf(asked, request.session_id ?? null);
  if (fault === "hang") return untilDisconnected(disconnected);
  if (fault === "html") return void response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
  if (fault !== null) return refuse(response, ...FAULTS[fault]);
  const policy = request.advanced_settings?.source_policy;
  const domains = [...(policy?.include_domains ?? []), ...(policy?.exclude_domains ?? [])];
  if (domains.length > MAX_DOMAINS) return refuse(response, 422, `At most ${MAX_DOMAINS} domains`);
  const found = findPages(asked, { include: policy?.include_domains, exclude: policy?.exclude_domains, after: policy?.after_date });
  sendJson(response, 200, {
    search_id: `search_${randomUUID()}`,
    session_id: request.session_id ?? `session_${randomUUID()}`,
    results: excerptsOf(found.slice(0, request.advanced_settings?.max_results ?? 10), request),
    warnings: null,
    usage: [{ name: "sku_search", count: 1 }],
  });
}

function excerptsOf(pages: readonly WebPage[], { advanced_settings, max_chars_total }: SearchRequest) {
  let left = max_chars_total ?? Infinity;
  return pages.map(({ url, title, published, text }) => {
    const excerpt = text.slice(0, Math.min(left, advanced_settings?.excerpt_settings?.max_chars_per_result ?? Infinity));
    left -= excerpt.length;
    return { url, title, publish_date: published, excerpts: excerpt === "" ? [] : [excerpt] };
  });
}

function refuse(response: ServerResponse, status: number, message: string, detail?: unknown): void {
  const headers: Record<string, string> = status === 429 ? { "Retry-After": "1" } : {};
  sendJson(response, status, { type: "error", error: { ref_id: randomUUID(), message, ...(detail !== undefined && { detail }) } }, headers);
}

/** The web's search. */
export const parallel = defineService({
  start: startParallel,
  vars: (url) => ({ PARALLEL_URL: url, PARALLEL_API_KEY: "simulated" }),
  realWith: ["PARALLEL_API_KEY"],
  row: {
    title: "Web search",
    simulated: () => "thirty pages that exist only here",
    real: () => "Parallel",
    makeReal: "PARALLEL_API_KEY",
  },
  inTests: { canaries: { PARALLEL_API_KEY: "canary-parallel-key" } },
});
