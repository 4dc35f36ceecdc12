import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a test can see of one request. `closedEarly` turns true when the caller left before the answer's end. */
export type RecordedRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Parsed when it was JSON or a form, else its text. */
  body: unknown;
  at: string;
  status: number | null;
  closedEarly: boolean;
};

/** A running stand-in for one outside service, on loopback. */
export type Simulator = {
  name: string;
  /** The base that a client is configured with, without a slash at its end. */
  url: string;
  port: number;
  /** The latest 500 requests to the service itself (not to its control paths), oldest first. */
  requests(): readonly RecordedRequest[];
  /** Hears where the Worker is served, where it sends something to it. */
  onServed?(workerUrl: string): void;
  close(): Promise<void>;
};

/** One request being answered. */
export type Exchange = {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  body: Buffer;
  record: RecordedRequest;
  /** Aborted when the caller is gone. */
  disconnected: AbortSignal;
};

export type Handler = (exchange: Exchange) => void | Promise<void>;

/** Routes are `METHOD /path` without the base path; `fallback` gets the rest, and control routes are neither under it nor recorded. */
export type ServerDefinition = {
  name: string;
  port?: number;
  basePath?: string;
  routes: Record<string, Handler>;
  control?: Record<string, Handler>;
  fallback?: Handler;
};

const RECORDED_REQUESTS_MAX = 500;
/** Long, so a client's idle connection is not closed under a request it is just sending. */
const KEEP_ALIVE_MS = 10 * 60_000;
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

/** Answers with JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", ...headers });
  response.end(JSON.stringify(body));
}

/** Resolves when the caller has gone; for answers that never come. */
export function untilDisconnected(disconnected: AbortSignal): Promise<void> {
  if (disconnected.aborted) return Promise.resolve();
  return new Promise((resolve) => disconnected.addEventListener("abort", () => resolve(), { once: true }));
}

/** Starts an HTTP server on 127.0.0.1; port 0 takes a free one. */
export async function startServer(definition: ServerDefinition): Promise<Simulator> {
  const basePath = definition.basePath ?? "";
  const recorded: RecordedRequest[] = [];
  const control: Record<string, Handler> = {
    "GET /control/requests": ({ response }) => sendJson(response, 200, recorded),
    "DELETE /control/requests": ({ response }) => {
      recorded.length = 0;
      sendJson(response, 200, {});
    },
    ...definition.control,
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });

  server.keepAliveTimeout = KEEP_ALIVE_MS;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const body = await readBody(request);
    const leaving = new AbortController();
    const record = describe(request, url, body);
    response.on("close", () => {
      record.status = response.headersSent ? response.statusCode : null;
      record.closedEarly = !response.writableFinished;
      leaving.abort();
    });
    const exchange: Exchange = { request, response, url, body, record, disconnected: leaving.signal };
    const controlHandler = control[`${record.method} ${url.pathname}`];
    if (controlHandler) return run(controlHandler, exchange);
    recorded.push(record);
    if (recorded.length > RECORDED_REQUESTS_MAX) recorded.shift();
    const path = url.pathname.startsWith(basePath) ? url.pathname.slice(basePath.length) : null;
    const handler = path === null ? undefined : (definition.routes[`${record.method} ${path}`] ?? definition.fallback);
    return run(handler ?? notFound, exchange);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(definition.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = addressOf(server.address());
  return {
    name: definition.name,
    url: `http://127.0.0.1:${port}${basePath}`,
    port,
    requests: () => recorded,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function run(handler: Handler, exchange: Exchange): Promise<void> {
  try {
    await handler(exchange);
  } catch (error) {
    if (exchange.disconnected.aborted) return;
    if (exchange.response.headersSent) exchange.response.destroy();
    else sendJson(exchange.response, 500, { error: { code: 500, message: `The simulator failed: ${String(error)}` } });
  }
}

function notFound({ response, record }: Exchange): void {
  sendJson(response, 404, { error: { code: 404, message: `Nothing at ${record.method} ${record.path}` } });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= BODY_LIMIT_BYTES) chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function describe(request: IncomingMessage, url: URL, body: Buffer): RecordedRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value.join(", ") : (value ?? "");
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers,
    body: parseBody(headers["content-type"] ?? "", body),
    at: new Date().toISOString(),
    status: null,
    closedEarly: false,
  };
}

function parseBody(contentType: string, body: Buffer): unknown {
  if (body.length === 0) return null;
  if (contentType.includes("multipart/")) return `${body.length} bytes`;
  const text = body.toString("utf8");
  if (contentType.includes("x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("The simulator has no port");
  return address;
}
