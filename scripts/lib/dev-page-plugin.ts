import { request } from "node:http";
import type { Plugin } from "vite";

/** Has the development server pass a page of a simulator's, as `/dev/mailbox`, on to it before it answers with the product's page. */
export function devPagePlugin(path: string, url: string): Plugin {
  const isBelow = (asked: string) => asked.startsWith(path) && /^(?:[/?]|$)/.test(asked.slice(path.length));
  return {
    name: `local${path}`,
    enforce: "pre",
    configureServer(server) {
      server.middlewares.use((incoming, outgoing, next) => {
        if (!isBelow(incoming.url ?? "")) return next();
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
