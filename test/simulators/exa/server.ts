import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { findPages, pageAt } from "../fixed-web/fixed-web.ts";
import type { WebPage } from "../fixed-web/page.ts";
import { createQueryFaults, type QueryFault } from "../query-fault.ts";
import { sendJson, startServer, untilDisconnected, type Exchange, type Handler, type Simulator } from "../simulator.ts";
import { answerImage } from "./images.ts";
import { type Contents, ContentsRequest, SearchRequest } from "./request.ts";
import { defineService } from "../definition.ts";

export type ExaOptions = { port?: number };

type FaultOf = (asked: string) => QueryFault | null;

const FAULTS: Record<Exclude<QueryFault, "hang" | "html">, unknown> = {
  "400": { error: "Invalid request", tag: "INVALID_REQUEST" },
  "401": { error: "Invalid API key" },
  "402": { error: "You have exceeded your credits limit.", tag: "NO_MORE_CREDITS" },
  // The newer services' shape.
  "422": { error: { type: "invalid_request_error", code: "unprocessable", message: "The request cannot be processed." } },
  "429": { error: "rate limit exceeded" },
  "500": { error: "Internal server error", tag: "INTERNAL_ERROR" },
};

/** Why a page that is not of the fixed web cannot be read, by its host; every other host is not found. */
const CRAWL_ERRORS: Record<string, { tag: string; httpStatusCode: number | null }> = {
  "slow.example": { tag: "CRAWL_TIMEOUT", httpStatusCode: null },
  "paywall.example": { tag: "SOURCE_NOT_AVAILABLE", httpStatusCode: 403 },
};

/** Starts Exa's stand-in on loopback: `POST /search` and `POST /contents` over the fixed web, and that web's pictures at `/images/`. */
export function startExa(options: ExaOptions = {}): Promise<Simulator> {
  const faultOf = createQueryFaults();
  return startServer({
    name: "exa",
    port: options.port,
    routes: {
      "POST /search": withKey((exchange) => search(exchange, faultOf)),
      "POST /contents": withKey((exchange) => crawl(exchange, faultOf)),
    },
    fallback: answerImage,
  });
}

function withKey(handler: Handler): Handler {
  return (exchange) => {
    const { headers } = exchange.record;
    const isKnown = headers["x-api-key"] !== undefined || /^Bearer \S+$/.test(headers["authorization"] ?? "");
    return isKnown ? handler(exchange) : refuse(exchange.response, 401, FAULTS["401"]);
  };
}

function search(exchange: Exchange, faultOf: FaultOf): void | Promise<void> {
  const { record, response } = exchange;
  const parsed = SearchRequest.safeParse(record.body);
  if (!parsed.success) return refuse(response, 400, { error: parsed.error.issues[0]?.message, tag: "INVALID_REQUEST_BODY" });
  const { query, numResults = 10, contents, includeDomains, excludeDomains, startPublishedDate } = parsed.data;
  const fault = faultOf(query);
  if (fault !== null) return fail(exchange, fault);
  const found = findPages(query, { include: includeDomains, exclude: excludeDomains, after: startPublishedDate?.slice(0, 10) });
  sendJson(response, 200, {
    requestId: randomUUID(),
    resolvedSearchType: "neural",
    searchTime: 41.3,
    results: found
      .slice(0, numResults)
      .map((page, index) => ({ score: 0.5 - index / 100, ...describe(page, contents ?? {}, originOf(exchange)) })),
    costDollars: { total: 0.005, search: { neural: 0.005 } },
  });
}

function crawl(exchange: Exchange, faultOf: FaultOf): void | Promise<void> {
  const { record, response } = exchange;
  const parsed = ContentsRequest.safeParse(record.body);
  if (!parsed.success) return refuse(response, 400, { error: parsed.error.issues[0]?.message, tag: "INVALID_REQUEST_BODY" });
  const { urls, ...contents } = parsed.data;
  const fault = faultOf(urls.map((url) => decodeURIComponent(url)).join("\n"));
  if (fault !== null) return fail(exchange, fault);
  const pages = urls.map((url) => ({ url, page: pageAt(url) }));
  const results = pages.flatMap(({ page }) => (page ? [describe(page, contents, originOf(exchange))] : []));
  sendJson(response, 200, {
    requestId: randomUUID(),
    results,
    statuses: pages.map(({ url, page }) =>
      page ? { id: url, status: "success", source: "cached" } : { id: url, status: "error", error: errorFor(url) },
    ),
    costDollars: { total: results.length / 1000, contents: { text: results.length / 1000 } },
  });
}

function errorFor(address: string): { tag: string; httpStatusCode: number | null } {
  if (!URL.canParse(address)) return { tag: "UNSUPPORTED_URL", httpStatusCode: null };
  return CRAWL_ERRORS[new URL(address).hostname] ?? { tag: "CRAWL_NOT_FOUND", httpStatusCode: 404 };
}

/** A page as a result; no text unless it is asked for, and beside its pictures what real pages link too. */
function describe({ url, title, published, author, text, images }: WebPage, { text: wanted, extras }: Contents, origin: string) {
  const limit = typeof wanted === "object" ? (wanted.maxCharacters ?? Infinity) : Infinity;
  const pictures = images.map((name) => `${origin}/images/${name}`);
  // A page without pictures has one whose address goes on and on.
  const long = `${origin}/images/tracked.png?of=${"0".repeat(2_000)}`;
  const links = [
    `${origin}/images/logo.png`,
    ...(pictures.length === 0 ? [long] : pictures),
    `${origin}/images/vector.svg`,
    "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
  ];
  return {
    id: url,
    url,
    title,
    ...(published !== null && { publishedDate: `${published}T00:00:00.000Z` }),
    ...(author !== null && { author }),
    ...(pictures[0] !== undefined && { image: pictures[0] }),
    favicon: `${origin}/images/favicon.png`,
    ...(wanted && { text: text.slice(0, limit) }),
    ...(extras?.imageLinks && { extras: { imageLinks: links.slice(0, extras.imageLinks) } }),
  };
}

function originOf({ record }: Exchange): string {
  return `http://${record.headers["host"]}`;
}

function fail({ response, disconnected }: Exchange, fault: QueryFault): void | Promise<void> {
  if (fault === "hang") return untilDisconnected(disconnected);
  if (fault === "html") return void response.writeHead(502, { "Content-Type": "text/html" }).end("<h1>Bad gateway</h1>");
  return refuse(response, Number(fault), FAULTS[fault]);
}

function refuse(response: ServerResponse, status: number, body: unknown): void {
  const known = typeof body === "object" ? body : {};
  sendJson(response, status, { requestId: randomUUID(), ...known }, status === 429 ? { "Retry-After": "1" } : {});
}

/** What reads pages and finds images. */
export const exa = defineService({
  start: startExa,
  vars: (url) => ({ EXA_URL: url, EXA_API_KEY: "simulated" }),
  realWith: ["EXA_API_KEY"],
  row: {
    title: "Pages and images",
    simulated: () => "those same pages, and their pictures",
    real: () => "Exa",
    makeReal: "EXA_API_KEY",
  },
  inTests: { canaries: { EXA_API_KEY: "canary-exa-key" } },
});
