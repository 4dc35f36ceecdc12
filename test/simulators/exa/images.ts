import { drawPicture } from "../fixed-web/picture.ts";
import { untilDisconnected, type Handler } from "../simulator.ts";

const FOLDER = "/images/";
const LARGE_BYTES = 11 * 1024 * 1024;

/** Pictures that are none, or that lead elsewhere. */
const TRAPS: Record<string, Handler> = {
  "moved.png": ({ response }) => redirect(response, "/images/stone-bridge.png"),
  "metadata.png": ({ response }) => redirect(response, "http://169.254.169.254/latest/meta-data/"),
  "inside.png": ({ response }) => redirect(response, "http://localhost:1/secret.png"),
  "circle.png": ({ response }) => redirect(response, "/images/circle.png"),
  "page.png": ({ response }) => void response.writeHead(200, { "Content-Type": "image/png" }).end("<script>alert(1)</script>"),
  "vector.svg": ({ response }) =>
    void response.writeHead(200, { "Content-Type": "image/svg+xml" }).end('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  "large.png": ({ response }) => {
    const picture = drawPicture("large.png");
    // Without a length, so only counting finds it out.
    response.writeHead(200, { "Content-Type": "image/png" });
    response.end(Buffer.concat([picture, Buffer.alloc(LARGE_BYTES)]));
  },
  "hang.png": ({ disconnected }) => untilDisconnected(disconnected),
};

/** Answers `GET /images/NAME`: any name ending in .png is a picture, but for those that are traps. */
export const answerImage: Handler = (exchange) => {
  const { record, response } = exchange;
  const name = record.path.startsWith(FOLDER) ? record.path.slice(FOLDER.length) : "";
  const trap = Object.hasOwn(TRAPS, name) ? TRAPS[name] : undefined;
  if (record.method === "GET" && trap) return trap(exchange);
  if (record.method !== "GET" || !/^[a-z-]+\.png$/.test(name)) return void response.writeHead(404).end("Not found");
  response.writeHead(200, { "Content-Type": "image/png" });
  response.end(drawPicture(name));
};

function redirect(response: Parameters<Handler>[0]["response"], location: string): void {
  response.writeHead(302, { Location: location });
  response.end();
}
