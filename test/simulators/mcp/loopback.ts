/** Loaded before a server that would listen to the whole network: it listens to this machine alone, and ends with whoever started it. */
import { Server } from "node:net";

const { listen } = Server.prototype;

Server.prototype.listen = function listenHere(this: Server, port: unknown, ...rest: unknown[]): Server {
  const done = rest.find((value): value is () => void => typeof value === "function");
  return listen.call(this, { port: Number(port), host: "127.0.0.1" }, done);
};

// However its parent ended, the pipe between them ends too.
process.stdin.once("end", () => process.exit(0)).resume();
