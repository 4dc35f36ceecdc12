import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Build } from "./build/build.ts";
import type { Vars } from "./dev-vars.ts";
import type { RunSql } from "./failed-jobs.ts";
import { inRoot } from "./paths.ts";
import { bin, runCommand } from "./run-command.ts";
import { newCredentialKey, newPushKeys } from "./state.ts";

const DATABASE = "polylogue";
const BUCKET = "polylogue-files";
/** The dead-letter queues stand first: a queue that names one that is missing cannot be deployed. */
const QUEUES = ["polylogue-jobs-dead", "polylogue-reads-dead", "polylogue-jobs", "polylogue-reads"];

/** Runs wrangler with its output shown; a failure becomes one sentence after wrangler's own words. */
export async function runWrangler(args: string[], failure: string): Promise<void> {
  const { code } = await runCommand(bin("wrangler"), args, { env: { CI: "1" } });
  if (code !== 0) throw new Error(`${failure}; the reason stands above.`);
}

/** Refuses to go on without an account to deploy to. */
export async function requireLogin(): Promise<void> {
  const { code } = await ask(["whoami", "--json"]);
  if (code !== 0) {
    throw new Error("You are not signed in to Cloudflare: run `npx wrangler login` (or set CLOUDFLARE_API_TOKEN), then try again.");
  }
}

/** Makes the database, the bucket and the queues where they don't exist yet; returns the database's id. */
export async function ensureResources(): Promise<string> {
  const databaseId = (await findDatabase()) ?? (await createDatabase());
  await create(["r2", "bucket", "create", BUCKET], `The R2 bucket ${BUCKET}`);
  for (const queue of QUEUES) await create(["queues", "create", queue], `The queue ${queue}`);
  return databaseId;
}

/** Opens the deployment's database for single statements, each run by wrangler. */
export async function openRemoteDatabase(): Promise<{ run: RunSql; close: () => Promise<void> }> {
  await requireLogin();
  const id = await findDatabase();
  if (id === undefined) throw new Error("This account has no deployment: `npm run deploy` makes one.");
  const folder = await mkdtemp(join(tmpdir(), "polylogue-database-"));
  const config = join(folder, "wrangler.json");
  await writeFile(
    config,
    JSON.stringify({ name: "polylogue", d1_databases: [{ binding: "DB", database_name: DATABASE, database_id: id }] }),
  );
  return {
    async run(statement) {
      const { code, output } = await ask(["d1", "execute", "DB", "--remote", "--json", "--config", config, "--command", statement]);
      if (code !== 0) throw new Error(`The deployment's database did not answer: ${lastLine(output)}`);
      const answers = z.array(z.object({ results: z.array(z.unknown()) })).parse(JSON.parse(output.slice(output.indexOf("["))));
      return answers.flatMap(({ results }) => results);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Writes the build's configuration with the account's own database beside the build's; returns its path. */
export async function deployConfig(build: Build, databaseId: string): Promise<string> {
  // For trying it out: a first deployment without a domain answers nowhere else.
  const exposed = process.env["WORKERS_DEV"] === "true" ? { workers_dev: true } : {};
  const config = z.looseObject({ d1_databases: z.array(z.looseObject({})) }).parse(JSON.parse(await readFile(build.workerConfig, "utf8")));
  const databases = config.d1_databases.map((database) => ({ ...database, database_id: databaseId, migrations_dir: inRoot("migrations") }));
  const path = join(dirname(build.workerConfig), "wrangler.deploy.json");
  await writeFile(path, JSON.stringify({ ...config, ...exposed, d1_databases: databases }));
  return path;
}

/** What uploads the secrets that are given, and with the first deployment a new session secret, key of credentials and keys of pushes; later ones keep them, or everyone would be signed out and lose their connections and notifications. */
export async function secretsFile(config: string, given: Vars): Promise<{ args: string[]; forget: () => Promise<void> }> {
  const listed = await ask(["secret", "list", "--config", config, "--format", "json"]);
  const isKnown = listed.code === 0 || /10007|does not exist|not found/i.test(listed.output);
  if (!isKnown) throw new Error(`The Worker's secrets could not be listed, and nothing was deployed: ${lastLine(listed.output)}`);
  const has = (name: string) => listed.code === 0 && listed.output.includes(`"${name}"`);
  const made = {
    ...(!has("SESSION_SECRET") && { SESSION_SECRET: randomBytes(32).toString("base64url") }),
    ...(!has("CREDENTIAL_KEYS") && { CREDENTIAL_KEYS: newCredentialKey() }),
    ...(!has("VAPID_PRIVATE_KEY") && given["VAPID_PRIVATE_KEY"] === undefined && newPushKeys()),
  };
  const secrets = { ...made, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")) };
  if (Object.keys(secrets).length === 0) return { args: [], forget: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "polylogue-secrets-"));
  const file = join(folder, "secrets.json");
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
  return { args: ["--secrets-file", file], forget: () => rm(folder, { recursive: true, force: true }) };
}

async function findDatabase(): Promise<string | undefined> {
  const { code, output } = await ask(["d1", "list", "--json"]);
  if (code !== 0) throw new Error(`The account's databases could not be listed: ${lastLine(output)}`);
  const databases = z.array(z.looseObject({ name: z.string(), uuid: z.string() })).parse(JSON.parse(output.slice(output.indexOf("["))));
  return databases.find(({ name }) => name === DATABASE)?.uuid;
}

async function createDatabase(): Promise<string> {
  await create(["d1", "create", DATABASE], `The D1 database ${DATABASE}`);
  const made = await findDatabase();
  if (!made) throw new Error(`The D1 database ${DATABASE} was made but is not listed yet: run \`npm run deploy\` again in a minute.`);
  return made;
}

async function create(args: string[], what: string): Promise<void> {
  const { code, output } = await ask(args);
  if (code === 0) process.stdout.write(`${what} was made.\n`);
  else if (!/already|taken/i.test(output)) throw new Error(`${what} could not be made: ${lastLine(output)}`);
}

function ask(args: string[]) {
  return runCommand(bin("wrangler"), args, { quiet: true, env: { CI: "1" } });
}

/** The line that names the error, in what wrangler printed. */
function lastLine(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  return lines.find((line) => line.includes("ERROR")) ?? lines.findLast((line) => line !== "") ?? "no reason was given";
}
