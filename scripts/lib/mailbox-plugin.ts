import { request } from "node:http";
import type { Plugin } from "vite";

const PATH = /^\/dev\/mailbox(?:[/?]|$)/;

/** Has the development server pass `/dev/mailbox` on to the mailbox simulator before it answers with the product's page. */
export function mailboxPlugin(url: string): Plugin {
  return {
    name: "local-mailbox",
    enforce: "pre",
    configureServer(server) {
      server.middlewares.use((incoming, outgoing, next) => {
        if (!PATH.test(incoming.url ?? "")) return next();
        const { method = "GET", headers } = incoming;
        const passed = request(new URL(incoming.url ?? "", url), { method, headers }, (answer) => {
          outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(outgoing);
        });
        passed.on("error", () => outgoing.writeHead(502).end());
        incoming.pipe(passed);
      });
    },
  };
}
