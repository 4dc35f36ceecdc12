import { createConnection, createServer } from "node:net";

/** A port on 127.0.0.1 that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const port = await tryPort(0);
  if (port === null) throw new Error("No free port was found on this machine.");
  return port;
}

/** Whether a server could listen on this port now. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null;
}

/** Whether something accepts connections on 127.0.0.1. */
export function isAnswering(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "127.0.0.1", timeout: 1000 });
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on("connect", () => settle(true));
    socket.on("error", () => settle(false));
    socket.on("timeout", () => settle(false));
  });
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on("error", () => resolve(null));
    server.listen(port, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : null));
    });
  });
}

/** The port that `PORT` asks for, else `fallback`. */
export function portFromEnvironment(fallback: number): number {
  const asked = process.env["PORT"];
  if (!asked) return fallback;
  const port = Number(asked);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT is "${asked}": give a number from 1 to 65535.`);
  return port;
}
