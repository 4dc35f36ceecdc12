/** The upload itself: the database's migrations, then the Worker with its variables, its secrets and its domain. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import type { Build } from "../build/build.ts";
import type { Vars } from "../dev-vars.ts";
import { inRoot } from "../paths.ts";
import { newCredentialKey, newPushKeys } from "../state.ts";
import { type Copy, inCopy } from "./copy.ts";
import type { Ready } from "./missing.ts";
import { PlatformError, type Platform } from "./platform.ts";
import { makeResources } from "./resources.ts";
import { runWrangler } from "./wrangler.ts";

export type Upload = { platform: Platform; copy: Copy; ready: Ready; build: Build; commit: string; vars: Vars; origin: string };

/** Deploys a build; returns the secret by which its turn is asked. What was made of it before is found and used. */
export async function upload({ platform, copy, ready, build, commit, vars, origin }: Upload): Promise<string> {
  const databaseId = await makeResources(platform, copy, ready);
  const config = await deployConfig(build, { copy, databaseId, isExposed: isExposed(origin) });
  process.stdout.write("Migrating the database ...\n");
  await runWrangler(
    platform,
    ["d1", "migrations", "apply", "DB", "--remote", "--config", config],
    "The database could not be migrated, and nothing was deployed",
  );
  const secrets = secretsOf(vars, ready.secrets);
  const staying = ready.secrets.filter((name) => !Object.hasOwn(secrets, name) && !MADE.has(name));
  if (staying.length > 0) {
    const remove = `npx wrangler secret delete NAME --name ${copy.worker}`;
    process.stdout.write(`${staying.join(", ")}: not in ${copy.varsFile}, but set before, and kept. \`${remove}\` takes one away.\n`);
  }
  process.stdout.write("Uploading the Worker and its files ...\n");
  const folder = await mkdtemp(join(tmpdir(), "polylogue-secrets-"));
  const file = join(folder, "secrets.json");
  try {
    await writeFile(file, JSON.stringify(secrets), { mode: 0o600 });
    const set = ["--var", `VERSION:${build.version}`, "--var", "ENVIRONMENT:production", "--secrets-file", file];
    await runWrangler(
      platform,
      ["deploy", "--config", config, "--keep-vars", "--tag", commit, ...set],
      `The Worker could not be deployed whole: run \`${copy.command}\` again once the cause is gone`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  if (!ready.hasDomain) await attachDomain(platform, copy, { host: new URL(origin).hostname, zoneId: ready.zoneId });
  return secrets.DEPLOYMENT_SECRET;
}

/** Whether it answers at workers.dev as well, for trying it out. */
function isExposed(origin: string): boolean {
  return process.env["WORKERS_DEV"] === "true" || new URL(origin).hostname.endsWith(".workers.dev");
}

/** Writes the build's configuration as a copy has it, with its own database, beside the build's; returns its path. */
export async function deployConfig(
  build: Pick<Build, "workerConfig">,
  { copy, databaseId, isExposed: isAtWorkersDev }: { copy: Copy; databaseId: string; isExposed: boolean },
): Promise<string> {
  const built: unknown = JSON.parse(await readFile(build.workerConfig, "utf8"));
  const config = z.looseObject({ d1_databases: z.array(z.looseObject({})) }).parse(inCopy(built, copy.stage));
  const databases = config.d1_databases.map((database) => ({ ...database, database_id: databaseId, migrations_dir: inRoot("migrations") }));
  const path = join(dirname(build.workerConfig), `wrangler.${copy.stage ?? "deploy"}.json`);
  await writeFile(path, JSON.stringify({ ...config, ...(isAtWorkersDev && { workers_dev: true }), d1_databases: databases }));
  return path;
}

/** What the first deployment makes where it is not given. */
const MADE = new Set(["SESSION_SECRET", "CREDENTIAL_KEYS", "VAPID_PUBLIC_KEY", "VAPID_PRIVATE_KEY"]);

/**
 * The secrets that are given, and with the first deployment a new session secret, key of credentials and keys of pushes; later ones keep
 * them, or everyone would be signed out and lose their connections and notifications. The secret of the deployment's own turn is always new.
 */
function secretsOf(given: Vars, names: readonly string[]): { DEPLOYMENT_SECRET: string; [name: string]: string } {
  const known = new Set(names);
  return {
    ...(!known.has("SESSION_SECRET") && { SESSION_SECRET: randomBytes(32).toString("base64url") }),
    ...(!known.has("CREDENTIAL_KEYS") && { CREDENTIAL_KEYS: newCredentialKey() }),
    ...(!known.has("VAPID_PRIVATE_KEY") && given["VAPID_PRIVATE_KEY"] === undefined && newPushKeys()),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== "")),
    DEPLOYMENT_SECRET: randomBytes(32).toString("base64url"),
  };
}

/** There are DNS records at the host already. */
const HOST_TAKEN = 100_117;

async function attachDomain(
  { ask, dashboard }: Platform,
  { worker, command }: Copy,
  { host, zoneId }: { host: string; zoneId: string | null },
): Promise<void> {
  const body = { hostname: host, service: worker, environment: "production", ...(zoneId !== null && { zone_id: zoneId }) };
  try {
    await ask("workers/domains", z.unknown(), { method: "PUT", body });
    process.stdout.write(`https://${host} leads to the Worker ${worker} now.\n`);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const advice = error.codes.includes(HOST_TAKEN)
      ? `Delete the DNS records of ${host} (${dashboard}, the domain, DNS, Records), as the deployment makes its own; then`
      : "Once the cause is gone,";
    throw new Error(
      `The Worker is deployed, but https://${host} could not be led to it. Cloudflare says:\n${error.message}\n${advice} run \`${command}\` again.`,
      { cause: error },
    );
  }
}
