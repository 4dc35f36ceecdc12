import { readFile, writeFile } from "node:fs/promises";
import { readSources } from "#test/architecture/sources.ts";
import { drawRooms } from "./lib/draw-rooms.ts";
import { inRoot } from "./lib/paths.ts";
import { roomsOf } from "./lib/rooms.ts";
import { runMain } from "./lib/run-main.ts";

const PICTURE = inRoot("docs", "rooms.svg");

await runMain(async () => {
  const drawn = await drawRooms(roomsOf(readSources("shared", "web", "worker")));
  const isCurrent = (await readFile(PICTURE, "utf8").catch(() => "")) === drawn;
  if (process.argv.includes("--check")) {
    if (!isCurrent) throw new Error("docs/rooms.svg no longer shows what the code imports: run `npm run docs` and commit it.");
    return;
  }
  await writeFile(PICTURE, drawn);
  process.stdout.write(isCurrent ? "docs/rooms.svg was up to date.\n" : "docs/rooms.svg is drawn anew.\n");
});
