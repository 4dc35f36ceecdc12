import { readFile, writeFile } from "node:fs/promises";
import { readSources } from "#test/architecture/sources.ts";
import { drawRooms } from "./lib/draw-rooms.ts";
import { inRoot } from "./lib/paths.ts";
import { roomsOf } from "./lib/rooms.ts";
import { runMain } from "./lib/run-main.ts";
import { holds, sealed } from "./lib/seal.ts";

const PICTURE = inRoot("docs", "rooms.svg");
const DRAWING = inRoot("scripts", "lib", "draw-rooms.ts");
const ELK = inRoot("node_modules", "elkjs", "package.json");

await runMain(async () => {
  const rooms = roomsOf(readSources("shared", "web", "worker"));
  // By what it is drawn from, as drawing takes ten seconds.
  const sources = [JSON.stringify(rooms), await readFile(DRAWING, "utf8"), await readFile(ELK, "utf8")];
  const isCurrent = holds(await readFile(PICTURE, "utf8").catch(() => ""), ...sources);
  if (process.argv.includes("--check")) {
    if (!isCurrent) throw new Error("docs/rooms.svg no longer shows what the code imports: run `npm run docs` and commit it.");
    return;
  }
  if (!isCurrent) await writeFile(PICTURE, sealed(await drawRooms(rooms), ...sources));
  process.stdout.write(isCurrent ? "docs/rooms.svg was up to date.\n" : "docs/rooms.svg is drawn anew.\n");
});
