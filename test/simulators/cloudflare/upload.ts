/** What the platform makes of an uploaded Worker: it refuses what it refuses, and keeps the rest as a version. */
import * as z from "zod";
import { type Account, type Binding, runningVersion, type Version, type Worker } from "./account.ts";
import { Refused } from "./refused.ts";

const Metadata = z.looseObject({
  main_module: z.string(),
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() })),
  keep_bindings: z.array(z.string()).optional(),
  limits: z.looseObject({ cpu_ms: z.number().optional() }).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  migrations: z
    .looseObject({
      old_tag: z.string().optional(),
      new_tag: z.string(),
      steps: z.array(z.looseObject({ new_sqlite_classes: z.array(z.string()).optional() })),
    })
    .optional(),
});
type Metadata = z.infer<typeof Metadata>;

/** Reads an upload's form and keeps it as a version of a Worker, which it makes where there is none. Throws `Refused`. */
export async function storeUpload(
  account: Account,
  name: string,
  { body, contentType }: { body: Buffer; contentType: string },
): Promise<Version> {
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  const given = form.get("metadata");
  const metadata = Metadata.parse(JSON.parse(typeof given === "string" ? given : ((await given?.text()) ?? "")));
  if (account.subdomain === null) {
    throw new Refused(
      400,
      10063,
      "You need a workers.dev subdomain in order to proceed. Please go to the dashboard and open the Workers menu.",
    );
  }
  if (account.plan === "free" && metadata.limits?.cpu_ms !== undefined) {
    throw new Refused(400, 100328, "CPU limits are not supported for the Free plan.");
  }
  const worker = account.workers.get(name) ?? newWorker(name);
  checkBindings(account, worker, metadata);
  migrateClasses(worker, metadata);
  const version = {
    id: crypto.randomUUID(),
    number: worker.versions.length + 1,
    annotations: metadata.annotations ?? {},
    bindings: [...metadata.bindings, ...inherited(worker, metadata)],
  };
  worker.versions.push(version);
  account.workers.set(name, worker);
  return version;
}

function newWorker(name: string): Worker {
  return { name, migrationTag: null, classes: new Set(), versions: [], deployed: [], crons: [], isAtWorkersDev: false };
}

function checkBindings({ databases, buckets, queues }: Account, { classes }: Worker, { bindings, migrations }: Metadata): void {
  const known = new Set([...classes, ...(migrations?.steps ?? []).flatMap(({ new_sqlite_classes: made }) => made ?? [])]);
  for (const { type, name, ...of } of bindings) {
    const isThere =
      (type !== "d1" || [...databases.values()].some(({ uuid }) => uuid === of["id"] || uuid === of["database_id"])) &&
      (type !== "r2_bucket" || buckets.has(String(of["bucket_name"]))) &&
      (type !== "queue" || queues.has(String(of["queue_name"])));
    if (!isThere) throw new Refused(400, 10021, `binding ${name} of type ${type} must have a valid target specified`);
    if (type === "durable_object_namespace" && !known.has(String(of["class_name"]))) {
      throw new Refused(
        400,
        10061,
        `Cannot create binding for class '${String(of["class_name"])}' that is not configured to implement Durable Objects.`,
      );
    }
  }
}

function migrateClasses(worker: Worker, { migrations }: Metadata): void {
  if (!migrations) return;
  const made = migrations.steps.flatMap(({ new_sqlite_classes: classes }) => classes ?? []);
  const twice = made.find((name) => worker.classes.has(name));
  if (twice !== undefined) {
    throw new Refused(
      400,
      10074,
      `Cannot apply new-sqlite-class migration to class '${twice}' that is already depended on by existing Durable Objects.`,
    );
  }
  for (const name of made) worker.classes.add(name);
  worker.migrationTag = migrations.new_tag;
}

/** What stays of the version before: the kinds of bindings that the upload keeps, and what it inherits by name. */
function inherited(worker: Worker, { bindings, keep_bindings: kept = [] }: Metadata): Binding[] {
  const given = new Set(bindings.filter(({ type }) => type !== "inherit").map(({ name }) => name));
  const before = runningVersion(worker)?.bindings ?? [];
  return before.filter(({ type, name }) => !given.has(name) && kept.includes(type));
}
