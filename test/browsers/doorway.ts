import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A way from a browser to the server that can be shut: no network as a browser meets it, whichever it is. */
export type Doorway = { url: string; shut(): Promise<void>; open(): Promise<void>; close(): Promise<void> };

/** Opens a way of its own to a server of this machine. */
export async function openDoorway(server: URL): Promise<Doorway> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Whoever leaves in the middle of an answer is no error here.
    socket.on("error", () => undefined);
  };
  const door = createServer((here) => {
    const there = connect(Number(server.port), "127.0.0.1");
    keep(here);
    keep(there);
    here.pipe(there).pipe(here);
    here.on("close", () => there.destroy());
    there.on("close", () => here.destroy());
  });
  let port = 0;
  const open = async () => {
    if (door.listening) return;
    door.listen(port, "127.0.0.1");
    await once(door, "listening");
    const address = door.address();
    port = typeof address === "object" ? (address?.port ?? 0) : 0;
  };
  const shut = async () => {
    const closed = once(door, "close");
    door.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  return { url: `http://localhost:${port}`, shut, open, close: async () => (door.listening ? shut() : undefined) };
}
