import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Hears whatever comes to a port of this machine, by either way, and notes it under a name. */
export async function listen(heard: string[], name: string): Promise<{ port: number; close: () => void }> {
  const tcp = createServer((socket) => {
    heard.push(`${name}: a connection`);
    socket.destroy();
  });
  await once(tcp.listen(0, "127.0.0.1"), "listening");
  const address = tcp.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const udp = createSocket("udp4", () => heard.push(`${name}: a datagram`));
  await once(udp.bind(port, "127.0.0.1"), "listening");
  const close = () => {
    udp.close();
    tcp.close();
  };
  return { port, close };
}
