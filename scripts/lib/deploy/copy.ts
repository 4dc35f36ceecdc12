/** What one copy of the product is made of at Cloudflare, and how all of it is named: production's, or a second copy's by its stage. */
import * as z from "zod";
import { unstable_readConfig as readConfig } from "wrangler";
import { inRoot } from "../paths.ts";

/** Everything that wrangler.jsonc names of its own begins so. */
const NAME = /^polylogue(?=$|-)/;
const STAGE = /^[a-z](?:[a-z0-9-]{0,18}[a-z0-9])?$/;
const PRODUCTION = new Set(["prod", "production"]);
/** Its file of variables would be the local server's. */
const LOCAL = "dev";

export type Copy = {
  /** Null for production. */
  stage: string | null;
  worker: string;
  database: string;
  /** Where its database and its bucket are made; null where the platform chooses the place nearest to whoever deploys. */
  place: string | null;
  buckets: string[];
  /** The dead-letter queues stand first: a queue that names one that is missing cannot be deployed. */
  queues: string[];
  /** The tags of the migrations of Durable Object classes, the oldest first. */
  classTags: string[];
  /** Where its variables stand. */
  varsFile: string;
  /** What deploys it. */
  command: string;
};

/** The platform's places for a database, and for a bucket the same: the two halves of Europe and of North America, Asia, and Oceania. */
const PLACES = ["weur", "eeur", "wnam", "enam", "apac", "oc"];

/** The copy that `STAGE` names, and production without it, with its data where `D1_LOCATION` says. Throws where there is no such name. */
export function copyOf(stageGiven: string | undefined, placeGiven = ""): Copy {
  const stage = stageGiven === undefined || stageGiven === "" ? null : stageGiven;
  if (stage !== null && PRODUCTION.has(stage)) throw new Error("Production is deployed without STAGE: leave it out.");
  if (stage !== null && (stage === LOCAL || !STAGE.test(stage))) {
    throw new Error(`STAGE is "${stage}": give it a short name of small letters, digits and hyphens other than dev, e.g. STAGE=preview.`);
  }
  if (placeGiven !== "" && !PLACES.includes(placeGiven)) {
    throw new Error(`D1_LOCATION is "${placeGiven}": give one of ${PLACES.join(", ")}, or leave it out.`);
  }
  const { name, d1_databases, r2_buckets, queues, migrations } = Config.parse(
    inCopy(readConfig({ config: inRoot("wrangler.jsonc") }), stage),
  );
  const named = [...queues.producers, ...queues.consumers].flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead ?? queue]);
  const dead = new Set(queues.consumers.flatMap(({ dead_letter_queue: queue }) => queue ?? []));
  return {
    stage,
    worker: name,
    database: d1_databases[0].database_name,
    place: placeGiven || null,
    buckets: r2_buckets.map(({ bucket_name: bucket }) => bucket),
    queues: [...dead, ...new Set(named.filter((queue) => !dead.has(queue)))],
    classTags: migrations.map(({ tag }) => tag),
    varsFile: stage === null ? ".prod.vars" : `.${stage}.vars`,
    command: stage === null ? "npm run deploy" : `STAGE=${stage} npm run deploy`,
  };
}

const Queue = z.object({ queue: z.string(), dead_letter_queue: z.string().optional() });
const Config = z.object({
  name: z.string(),
  d1_databases: z.tuple([z.object({ database_name: z.string() })]),
  r2_buckets: z.array(z.object({ bucket_name: z.string() })),
  queues: z.object({ producers: z.array(Queue), consumers: z.array(Queue) }),
  migrations: z.array(z.object({ tag: z.string() })),
});

/** A configuration with every name in it as a copy has it, so that nothing of production stands in another's. */
export function inCopy(config: unknown, stage: string | null): unknown {
  if (stage === null) return config;
  if (typeof config === "string") return config.replace(NAME, `polylogue-${stage}`);
  if (Array.isArray(config)) return config.map((one) => inCopy(one, stage));
  if (typeof config !== "object" || config === null) return config;
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [key, inCopy(value, stage)]));
}
