import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { seedAccount } from "#test/support/seed-account.ts";
import type { Served } from "./serve.ts";
import { freePort } from "./ports.ts";

/** Lets the browser's tests have accounts without a mail: a POST of an address is answered with the value of a session's cookie. */
export async function startAccountServer(served: Served, secret: string): Promise<{ url: string; close(): void }> {
  const database = await served.database();
  const server = createServer((request, response) => {
    void text(request)
      .then((email) => seedAccount(database, { secret, email }))
      .then(
        (cookie) => response.end(cookie),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
