import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request as ask } from "node:http";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Exchange } from "../simulator.ts";

/** The reference server of the protocol, which does all that it has, as a process that starts with the first request to it. */
export type Everything = {
  handle(exchange: Exchange): Promise<void>;
  /** Ends it, and with it all of its sessions; the next request starts another. */
  stop(): Promise<void>;
};

const COMMAND = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");
const ON_LOOPBACK = fileURLToPath(new URL("loopback.ts", import.meta.url));

/** Stands in front of the reference server, at whatever port that has. */
export function openEverything(): Everything {
  let running: Promise<{ child: ChildProcess; port: number }> | null = null;

  async function start() {
    const port = await freePort();
    const child = spawn(process.execPath, ["--import", ON_LOOPBACK, COMMAND, "streamableHttp"], {
      // It shows its environment to whoever asks.
      env: { PATH: process.env["PATH"], PORT: String(port), NODE_NO_WARNINGS: "1" },
      stdio: ["pipe", "ignore", "pipe"],
    });
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on("data", (bytes: Buffer) => bytes.toString().includes("listening") && resolve());
      child.once("exit", (code) => reject(new Error(`server-everything ended with ${code}.`)));
    });
    return { child, port };
  }

  return {
    async handle({ request, response, body, disconnected }) {
      const { port } = await (running ??= start());
      const { host: _host, connection: _connection, ...headers } = request.headers;
      const forwarded = ask({ host: "127.0.0.1", port, path: "/mcp", method: request.method, headers });
      disconnected.addEventListener("abort", () => forwarded.destroy(), { once: true });
      forwarded.on("error", () => response.destroy());
      forwarded.on("response", (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.on("error", () => response.destroy());
        answer.pipe(response);
      });
      forwarded.end(body);
      await once(response, "close");
    },
    async stop() {
      const stopping = running;
      running = null;
      if (!stopping) return;
      const { child } = await stopping;
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("There is no free port.");
  return address.port;
}
