import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export type FarServer = { origin: string; close(): void };

/** A server as it is seen from far away: every byte takes half of `roundTripMs` in each direction, and none overtakes another. */
export async function openFarServer(origin: string, roundTripMs: number): Promise<FarServer> {
  const { hostname, port } = new URL(origin);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      const later = (act: () => void) => setTimeout(() => !to.destroyed && act(), roundTripMs / 2);
      from.setNoDelay(true);
      from.on("data", (bytes) => later(() => to.write(bytes)));
      from.on("end", () => later(() => to.end()));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        open.delete(from);
        later(() => to.destroySoon());
      });
    }
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The far server has no port.");
  return {
    origin: `http://localhost:${address.port}`,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
