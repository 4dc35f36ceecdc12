import type { Exchange } from "../simulator.ts";

/** Answers an exchange by a handler that takes a web `Request`. */
export async function answerByFetch(
  { request, response, url, body, disconnected }: Exchange,
  handle: (asked: Request) => Promise<Response>,
): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) if (value !== undefined) headers.set(name, String(value));
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const answer = await handle(
    new Request(url, { method: request.method ?? "GET", headers, signal: disconnected, ...(hasBody && { body: new Uint8Array(body) }) }),
  );
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.flushHeaders();
  try {
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  } catch {
    // Whoever asked is gone, or what answers broke off.
    response.destroy();
  }
}
