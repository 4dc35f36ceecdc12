import { expect, it } from "vitest";
import { newIp, visitWith } from "#test/support/sign-in.ts";
import { ORIGIN, visit } from "#test/support/worker.ts";

const KB = 1024;

/** A body of so many chunks of 1 KB that comes as it is read, and how many were. */
function bodyOf(pieces: number) {
  const state = { read: 0, isOver: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.read === pieces) {
          state.isOver = true;
          return controller.close();
        }
        state.read += 1;
        controller.enqueue(new Uint8Array(KB).fill(0x20));
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, state };
}

function sent(body: ReadableStream, headers: Record<string, string>): RequestInit {
  return { method: "POST", body, headers: { "content-type": "application/json", ...headers } };
}

it.each([
  ["another site's", "/api/chats", { origin: "https://evil.example" }, 403],
  ["a visitor's", "/api/user-x", { origin: ORIGIN }, 404],
  ["one without a session", "/api/auth/signout", { origin: ORIGIN }, 401],
  ["one that is no JSON", "/api/auth/email/start", { origin: ORIGIN, "content-type": "text/plain" }, 415],
])("a request that is refused before its body was read has a small one read to its end, as %s", async (_what, path, headers, status) => {
  const { stream, state } = bodyOf(8);
  const response = await visit(path, sent(stream, headers));
  expect(response.status).toBe(status);
  expect(state).toEqual({ read: 8, isOver: true });
});

it("a request that is refused before its body was read has no long one read", async () => {
  const announced = bodyOf(1_000);
  const response = await visit("/api/chats", sent(announced.stream, { origin: "https://evil.example", "content-length": `${1_000 * KB}` }));
  expect(response.status).toBe(403);
  expect(announced.state.read).toBeLessThan(100);
  const silent = bodyOf(1_000);
  expect((await visit("/api/chats", sent(silent.stream, { origin: "https://evil.example" }))).status).toBe(403);
  expect(silent.state.read).toBeLessThan(100);
});

it("a request that is refused before its body was read waits for none that does not come", async () => {
  const never = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) });
  const response = await visitWith({}, "/api/chats", sent(never, { origin: "https://evil.example", ...newIp() }));
  expect(response.status).toBe(403);
});
