/** What an account lacks for a deployment, asked for before anything is made in it. */
import * as z from "zod";
import type { Copy } from "./copy.ts";
import { orNull, PlatformError, type Platform } from "./platform.ts";
import { type Found, findDatabase, findQueue, hasBucket } from "./resources.ts";

const NO_WORKER = [10007, 10090];
const NO_SUBDOMAIN = [10007];
const R2_OFF = 10042;

/** What a deployment needs to know of what is there: `previous` is the commit that runs now, null where nobody can tell. */
export type Ready = Found & { zoneId: string | null; hasDomain: boolean; isFirst: boolean; previous: string | null };

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
        missing.push(`${advise(error) ?? what} Cloudflare says: ${error.message}`);
        return null;
      }
    },
  };
}

/** Looks at all that a deployment needs. Throws an error that names everything that is missing, each with what to do about it. */
export async function requireReady(platform: Platform, copy: Copy, origin: string): Promise<Ready> {
  const { missing, look } = search();
  const dashboard = `https://dash.cloudflare.com/${platform.accountId}`;

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
  const tag = service?.default_environment.script.migration_tag;
  if (tag && !copy.classTags.includes(tag)) {
    missing.push(
      `What is deployed knows its objects' classes up to ${tag}, which \`migrations\` of wrangler.jsonc has no more: put that list back as it was, with the classes that it names (docs/operations.md, Going back).`,
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
  const previous = service === null ? null : await findPrevious(platform, copy);
  return { ...found, ...domain, isFirst: service === null, previous };
}

async function findResources(platform: Platform, copy: Copy, { look }: Search): Promise<Found> {
  const dashboard = `https://dash.cloudflare.com/${platform.accountId}`;
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
      `Queues cannot be used: they need the Workers Paid plan (${dashboard}/workers/plans).`,
    );
    if (asked === null) break;
    if (asked.queue) queues.set(name, asked.queue);
  }
  const databaseId = await look(findDatabase(platform, copy), "The account's D1 databases could not be listed.");
  return { queues, buckets, databaseId };
}

const Domains = z.array(z.object({ hostname: z.string(), service: z.string() }));
const Zones = z.array(z.object({ id: z.string(), name: z.string(), status: z.string() }));

/** The zone of a host, and whether the host leads to this copy's Worker already. */
async function findDomain(
  { ask, accountId }: Platform,
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
  const dashboard = `https://dash.cloudflare.com/${accountId}`;
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
  missing.push(`The domain of APP_ORIGIN, ${host}, is none of this account's: add it at ${dashboard}/domains and set its name servers.`);
  return { zoneId: null, hasDomain: false };
}

/** A host and the domains above it, the nearest first, without the last label. */
function parentsOf(host: string): string[] {
  const labels = host.split(".");
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join("."));
}

const Deployments = z.object({ deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string() })) })) });
const Version = z.object({ annotations: z.record(z.string(), z.unknown()).nullish() });

/** The commit of what runs now, which a deployment leaves with its version. */
async function findPrevious({ ask }: Platform, { worker }: Copy): Promise<string | null> {
  try {
    const { deployments } = await ask(`workers/scripts/${worker}/deployments`, Deployments);
    const id = deployments[0]?.versions[0]?.version_id;
    const version = id === undefined ? null : await ask(`workers/scripts/${worker}/versions/${id}`, Version);
    const tag = version?.annotations?.["workers/tag"];
    return typeof tag === "string" && /^[0-9a-f]{7,40}$/.test(tag) ? tag : null;
  } catch {
    // Only the advice on how to go back is the vaguer for it.
    return null;
  }
}
