import { copyOf } from "./lib/deploy/copy.ts";
import { openPlatform } from "./lib/deploy/platform.ts";
import { bookmarkOfNow, restoreDatabase } from "./lib/deploy/restore.ts";
import { runMain } from "./lib/run-main.ts";

const USAGE =
  "Use `npm run restore`, which prints the bookmark of now, or `npm run restore -- MOMENT` with a time (ISO 8601) or a bookmark.";

await runMain(async () => {
  const [moment, ...rest] = process.argv.slice(2);
  if (rest.length > 0) throw new Error(USAGE);
  const copy = copyOf(process.env["STAGE"]);
  const platform = await openPlatform();
  if (moment === undefined) {
    process.stdout.write(`${copy.database} is at the bookmark ${await bookmarkOfNow(platform, copy)}\n`);
    return;
  }
  const { bookmark, before } = await restoreDatabase(platform, copy, moment);
  process.stdout.write(`${copy.database} is as it was at ${bookmark}. The way back: npm run restore -- ${before}\n`);
});
