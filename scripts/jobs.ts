import { copyOf } from "./lib/deploy/copy.ts";
import { openRemoteDatabase } from "./lib/deploy/resources.ts";
import { dropJob, listJobs, retryJob, type RunSql } from "./lib/failed-jobs.ts";
import { openLocalDatabase } from "./lib/migrate.ts";
import { runMain } from "./lib/run-main.ts";
import { persistPath, runningPort, stateDirectory } from "./lib/state.ts";

const USAGE = "Use `npm run jobs`, `npm run jobs -- retry ID` or `npm run jobs -- drop ID`; with --remote of the deployment on Cloudflare.";
/** The Worker's cron that sends jobs again, which the local platform does not run by itself. */
const RESEND_CRON = "*/5 * * * *";

await runMain(async () => {
  const isRemote = process.argv.includes("--remote");
  const [verb = "list", id = "", ...rest] = process.argv.slice(2).filter((arg) => arg !== "--remote");
  if (!["list", "retry", "drop"].includes(verb) || rest.length > 0 || (verb === "list") !== (id === "")) throw new Error(USAGE);
  const port = isRemote ? null : await runningPort(stateDirectory());
  if (verb === "retry" && !isRemote && port === null) throw new Error("No local server runs that could try it again: `npm start` first.");
  const { run, close } = isRemote ? await openRemoteDatabase(copyOf(process.env["STAGE"])) : await openLocal();
  try {
    process.stdout.write(`${await answer(run, { verb, id, isRemote })}\n`);
  } finally {
    await close();
  }
  if (verb === "retry" && port !== null) await resend(port);
  process.exit(0);
});

async function answer(run: RunSql, { verb, id, isRemote }: { verb: string; id: string; isRemote: boolean }): Promise<string> {
  if (verb === "list") return listJobs(run);
  if (verb === "drop") {
    await dropJob(run, id);
    return `The job ${id} is dropped.`;
  }
  await retryJob(run, id);
  return `The job ${id} is sent anew ${isRemote ? "within five minutes" : "now"}.`;
}

async function openLocal(): Promise<{ run: RunSql; close: () => Promise<void> }> {
  const { database, close } = await openLocalDatabase(persistPath(stateDirectory()));
  const isMigrated = await database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'failed_jobs'").first();
  if (!isMigrated) {
    await close();
    throw new Error("There is no local database of this version yet: `npm start` makes it.");
  }
  return { run: async (statement) => (await database.prepare(statement).all()).results, close };
}

async function resend(port: number): Promise<void> {
  const response = await fetch(`http://localhost:${port}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(RESEND_CRON)}`);
  if (!response.ok) throw new Error(`The local server did not send it anew: it answered ${response.status}.`);
}
