import type { V4WorkerOptions } from "miniflare";

/** Hands a body to the product's own handler as it streams in; 200 where it was taken, 550 where it was refused, 451 where it may come again. */
const SCRIPT = `
export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url);
    let reason = null;
    const mail = {
      from: searchParams.get("from") ?? "",
      to: searchParams.get("to") ?? "",
      raw: request.body,
      rawSize: Number(request.headers.get("content-length")),
      headers: new Headers(),
      setReject: (why) => { reason = why; },
    };
    try {
      await env.PRODUCT.email(mail);
    } catch (error) {
      return new Response(String(error), { status: 451 });
    }
    await scheduler.wait(0);
    return new Response(reason, { status: reason === null ? 200 : 550 });
  },
};
`;

/**
 * A Worker that takes mails in as the platform delivers them: streamed. The local platform's own way in holds each of them whole,
 * parses it and keeps a copy, before the product sees it.
 */
export function mailDoor(port: number, product: string): V4WorkerOptions {
  return {
    name: "mail-door",
    modules: true,
    script: SCRIPT,
    compatibilityDate: "2026-10-01",
    serviceBindings: { PRODUCT: product },
    unsafeDirectSockets: [{ host: "127.0.0.1", port, serviceName: "mail-door" }],
  };
}
