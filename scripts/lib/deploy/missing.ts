/** What an account lacks for a deployment, asked for before anything is made in it. */
import * as z from "zod";
import { VARIABLE_NAMES } from "#worker/platform/config/config.ts";
import type { Vars } from "../dev-vars.ts";
import type { Copy } from "./copy.ts";
import { orNull, PlatformError, type Platform } from "./platform.ts";
import { type Found, findDatabase, findQueue, hasBucket, isDatabaseOf01 } from "./resources.ts";

const NO_WORKER = [10007, 10090];
const NO_SUBDOMAIN = [10007];
const R2_OFF = 10042;
const NO_RIGHT = 10000;
const NO_ACCOUNT = 7003;

/** The newest other commit that was deployed, and the last version that ran it. */
export type Previous = { commit: string; version: string };

/** What a deployment needs to know of what is there: `secrets` are the names of those that were set before. */
export type Ready = Found & {
  zoneId: string | null;
  hasDomain: boolean;
  secrets: string[];
  previous: Previous | "none" | "unknown";
};

type Wanted = { origin: string; commit: string; vars: Vars };

const Service = z.object({
  default_environment: z.object({ script: z.object({ migration_tag: z.string().nullish() }) }),
});

/** What was found missing so far, and a way to ask that goes on with nothing where the platform refuses: so all of it is named at once. */
type Search = {
  missing: string[];
  look<T>(asked: Promise<T>, what: string, advise?: (error: PlatformError) => string | null): Promise<T | null>;
};

function search(): Search {
  const missing: string[] = [];
  return {
    missing,
    async look(asked, what, advise = () => null) {
      try {
        return await asked;
      } catch (error) {
        if (!(error instanceof PlatformError)) throw error;
        if (error.codes.includes(NO_ACCOUNT)) {
          throw new Error("You are in no account of this CLOUDFLARE_ACCOUNT_ID: look it up in the dashboard's address.", { cause: error });
        }
        const right = error.codes.includes(NO_RIGHT) ? "The token may lack the right to it (docs/deploying.md, step 4)." : null;
        missing.push(`${[advise(error) ?? what, right].filter(Boolean).join(" ")} Cloudflare says: ${error.message}`);
        return null;
      }
    },
  };
}

/** Looks at all that a deployment needs. Throws an error that names everything that is missing, each with what to do about it. */
export async function requireReady(platform: Platform, copy: Copy, { origin, commit, vars }: Wanted): Promise<Ready> {
  const { missing, look } = search();
  const { dashboard } = platform;

  const subdomain = await look(
    orNull(platform.ask("workers/subdomain", z.object({ subdomain: z.string() })), NO_SUBDOMAIN),
    "The account's name at workers.dev could not be read.",
  );
  if (subdomain === null && missing.length === 0) {
    missing.push(
      `Workers was never opened in this account, which needs a name at workers.dev before it takes any Worker (code 10063): open ${dashboard}/workers/onboarding once.`,
    );
  }
  const found = await findResources(platform, copy, { missing, look });
  const service = await look(
    orNull(platform.ask(`workers/services/${copy.worker}`, Service), NO_WORKER),
    "The account's Workers could not be listed.",
  );
  const secrets = service && (await look(listSecrets(platform, copy), "The names of the Worker's secrets could not be listed."));
  missing.push(...missingVars(copy, { vars, secrets: secrets ?? [] }));
  const tag = service?.default_environment.script.migration_tag;
  if (tag && !copy.classTags.includes(tag)) {
    missing.push(
      `What is deployed knows its Durable Object classes up to ${tag}, which \`migrations\` of wrangler.jsonc has no more: put that list back as it was, with the classes that it names (docs/operations.md, Going back).`,
    );
  }
  const host = new URL(origin).hostname;
  const domain = host.endsWith(".workers.dev")
    ? { zoneId: null, hasDomain: true }
    : await findDomain(platform, { host, worker: copy.worker }, { missing, look });
  const own = `${copy.worker}.${subdomain?.subdomain}.workers.dev`;
  if (host.endsWith(".workers.dev") && subdomain && host !== own) {
    missing.push(`APP_ORIGIN is https://${host}, but this copy's address at workers.dev is https://${own}.`);
  }

  if (missing.length > 0) {
    throw new Error(`Nothing was made or deployed yet, as this is missing:\n${missing.map((one) => `- ${one}`).join("\n")}`);
  }
  const previous = service === null ? "none" : await findPrevious(platform, copy, commit);
  return { ...found, ...domain, secrets: secrets ?? [], previous };
}

async function listSecrets({ ask }: Platform, { worker }: Copy): Promise<string[]> {
  const listed = await ask(`workers/scripts/${worker}/secrets`, z.array(z.object({ name: z.string() })));
  return listed.map(({ name }) => name);
}

/** Variables without which nothing would work, and names that nothing reads, which may be mistyped. */
function missingVars({ varsFile }: Copy, { vars, secrets }: { vars: Vars; secrets: string[] }): string[] {
  const isSet = (name: string) => (vars[name] ?? "") !== "" || secrets.includes(name);
  const unknown = Object.keys(vars).filter((name) => !VARIABLE_NAMES.includes(name));
  return [
    ...unknown.map((name) => `${varsFile} names ${name}, which is no variable of this product (docs/configuration.md).`),
    ...(isSet("OPENROUTER_API_KEY") || isSet("AGGREGATOR_URL")
      ? []
      : [`OPENROUTER_API_KEY is not in ${varsFile}, and was not set before: no model could be asked.`]),
  ];
}

async function findResources(platform: Platform, copy: Copy, { missing, look }: Search): Promise<Found> {
  const { dashboard } = platform;
  const buckets = new Set<string>();
  for (const name of copy.buckets) {
    const isThere = await look(hasBucket(platform, name), `The R2 bucket ${name} could not be looked for.`, ({ codes }) =>
      codes.includes(R2_OFF) ? `R2 is not switched on in this account: open ${dashboard}/r2/overview and subscribe to it.` : null,
    );
    if (isThere === null) break;
    if (isThere) buckets.add(name);
  }
  const queues: Found["queues"] = new Map();
  for (const name of copy.queues) {
    const asked = await look(
      findQueue(platform, name).then((queue) => ({ queue })),
      `Queues cannot be used.`,
      ({ codes }) =>
        codes.includes(NO_RIGHT) ? null : `Queues cannot be used: they need the Workers Paid plan (${dashboard}/workers/plans).`,
    );
    if (asked === null) break;
    if (asked.queue) queues.set(name, asked.queue);
  }
  const databaseId = await look(findDatabase(platform, copy), "The account's D1 databases could not be listed.");
  if (databaseId !== null && (await look(isDatabaseOf01(platform, databaseId), "The database's migrations could not be read."))) {
    missing.push(
      `A database that this version reads: ${copy.database} is of version 0.1. The last commit of 0.1 goes on serving it. To move, deploy this version as a second copy (docs/deploying.md, From 0.1), and let each account take 'Export everything' there and import it here.`,
    );
  }
  return { queues, buckets, databaseId };
}

const Domains = z.array(z.object({ hostname: z.string(), service: z.string() }));
const Zones = z.array(z.object({ id: z.string(), name: z.string(), status: z.string() }));

/** The zone of a host, and whether the host leads to this copy's Worker already. */
async function findDomain(
  { ask, accountId, dashboard }: Platform,
  { host, worker }: { host: string; worker: string },
  { missing, look }: Search,
): Promise<Pick<Ready, "zoneId" | "hasDomain">> {
  const attached = await look(
    ask(`workers/domains?hostname=${encodeURIComponent(host)}`, Domains),
    "The account's custom domains could not be listed.",
  );
  const holder = attached?.find(({ hostname }) => hostname === host)?.service;
  if (holder !== undefined && holder !== worker) {
    missing.push(`APP_ORIGIN is https://${host}, which leads to the Worker ${holder}: each copy needs an address of its own.`);
  }
  for (const name of parentsOf(host)) {
    const listed = await look(
      ask(`/zones?name=${encodeURIComponent(name)}&account.id=${accountId}`, Zones),
      "The account's domains could not be listed: the token needs to read zones.",
    );
    if (listed === null) return { zoneId: null, hasDomain: false };
    const zone = listed.find((one) => one.name === name);
    if (!zone) continue;
    if (zone.status !== "active") {
      missing.push(
        `The domain ${name} is ${zone.status}, not active: set the name servers that ${dashboard}/${name} shows at its registrar.`,
      );
    }
    return { zoneId: zone.id, hasDomain: holder === worker };
  }
  missing.push(
    `The domain of APP_ORIGIN, ${host}, is none of this account's, or your token may not see it: add it at ${dashboard}/domains and set its name servers, or add it to the token's zones.`,
  );
  return { zoneId: null, hasDomain: false };
}

/** A host and the domains above it, the nearest first, without the last label. */
function parentsOf(host: string): string[] {
  const labels = host.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}

const Deployments = z.object({ deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string() })) })) });
const Version = z.object({ annotations: z.record(z.string(), z.unknown()).nullish() });

/** What to go back to: each deployment leaves its commit as the tag of its version. */
async function findPrevious({ ask }: Platform, { worker }: Copy, commit: string): Promise<Ready["previous"]> {
  try {
    const { deployments } = await ask(`workers/scripts/${worker}/deployments`, Deployments);
    let newest: string | null = null;
    for (const id of new Set(deployments.flatMap(({ versions }) => versions.map((one) => one.version_id)))) {
      newest ??= id;
      const { annotations } = await ask(`workers/scripts/${worker}/versions/${id}`, Version);
      const tag = annotations?.["workers/tag"];
      // A secret that was set or deleted makes a version of the same code, without a tag.
      if (typeof tag !== "string" || !/^[0-9a-f]{7,40}$/.test(tag)) continue;
      if (tag !== commit) return { commit: tag, version: newest };
      newest = null;
    }
    return newest === null ? "none" : "unknown";
  } catch {
    // Only the advice on how to go back is the vaguer for it.
    return "unknown";
  }
}
