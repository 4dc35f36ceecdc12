import { type Exchange, type Handler, sendJson, startServer, type Simulator } from "../simulator.ts";
import { type Account, ACCOUNT_ID, type Database, newAccount, newDatabase, type Queue, runningVersion, type Worker } from "./account.ts";
import { Refused } from "./refused.ts";
import { storeUpload } from "./upload.ts";

/** What is refused next: requests whose `METHOD /path` fits, so often. */
export type Fault = { on: RegExp; code: number; message: string; status?: number; times?: number };

/** How what is deployed answers, where it does not answer as it should. */
export type Behaviour = "as it should" | "as the version before" | "no turn" | "with an error";

export type CloudflareSimulator = Simulator & {
  account: Account;
  /** Refuses by a fault until it has been met `times`, else for good. */
  fail(fault: Fault): void;
  /** Ends all faults, and has deployments answer as they should. */
  reset(): void;
  /** Where a Worker's deployment answers: the simulator plays the product's session and turn, with the variables that were uploaded. */
  deployedAt(worker: string): string;
  behave(behaviour: Behaviour): void;
};

export type CloudflareOptions = { port?: number; account?: Account };

const FREE_RETENTION_S = 86_400;
const USUAL_RETENTION_S = 345_600;
const PER_BUCKET = 100;

type Found = { account: Account; exchange: Exchange; parts: string[]; query: URLSearchParams };
type Answer = (found: Found) => unknown;

/** Starts the platform's API as wrangler and the deployment speak to it, with one account behind it; any token opens it but `wrong`. */
export async function startCloudflare({ port, account = newAccount() }: CloudflareOptions = {}): Promise<CloudflareSimulator> {
  const faults: Fault[] = [];
  let behaviour: Behaviour = "as it should";

  const api: Handler = async (exchange) => {
    try {
      const result = await answerOf(exchange);
      sendJson(exchange.response, 200, {
        success: true,
        errors: [],
        messages: [],
        result,
        result_info: { page: 1, per_page: 100, count: 1, total_count: 1, total_pages: 1 },
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { status, code, message } = error;
      sendJson(exchange.response, status, { success: false, errors: [{ code, message }], messages: [], result: null });
    }
  };

  async function answerOf(exchange: Exchange): Promise<unknown> {
    const { record, url } = exchange;
    const path = url.pathname.replace(/^\/client\/v4/, "").replace(`/accounts/${ACCOUNT_ID}`, "/A");
    const asked = `${record.method} ${path}`;
    if (!/^Bearer (?!wrong$)\S+$/.test(record.headers["authorization"] ?? "")) throw new Refused(403, 10000, "Authentication error");
    const fault = faults.find(({ on, times }) => on.test(asked) && times !== 0);
    if (fault) {
      if (fault.times !== undefined) fault.times -= 1;
      throw new Refused(fault.status ?? 400, fault.code, fault.message);
    }
    for (const [pattern, answer] of ROUTES) {
      const match = pattern.exec(asked);
      if (match) return answer({ account, exchange, parts: match.slice(1).map(decodeURIComponent), query: url.searchParams });
    }
    throw new Refused(404, 7003, `Could not route to ${asked}, perhaps your object identifier is invalid?`);
  }

  const deployed: Handler = (exchange) => {
    const [, name = "", path = ""] = /^\/deployed\/([^/]+)(\/.*)$/.exec(exchange.url.pathname) ?? [];
    const worker = account.workers.get(name);
    const bindings = new Map(runningVersion(worker)?.bindings.map((one) => [one.name, one.text ?? ""]));
    const version = behaviour === "as the version before" ? "before" : bindings.get("VERSION");
    if (!worker || behaviour === "with an error")
      return sendJson(exchange.response, 500, { error: "Something went wrong on our side.", code: "INTERNAL" });
    if (path === "/api/auth/session") return sendJson(exchange.response, 200, { user: null, features: { version }, keeps_nothing: false });
    if (exchange.record.headers["authorization"] !== `Bearer ${bindings.get("DEPLOYMENT_SECRET")}`) {
      return sendJson(exchange.response, 401, { error: "This is not the secret of this deployment.", code: "UNAUTHENTICATED" });
    }
    if (behaviour === "no turn") {
      return sendJson(exchange.response, 503, {
        error: "The model cheap/model did not answer: unauthenticated.",
        code: "AGGREGATOR_UNAVAILABLE",
      });
    }
    sendJson(exchange.response, 200, { version, model: "cheap/model", text: "ready" });
  };

  const server = await startServer({
    name: "cloudflare",
    ...(port !== undefined && { port }),
    routes: {},
    fallback: (exchange) => (exchange.url.pathname.startsWith("/deployed/") ? deployed(exchange) : api(exchange)),
  });
  return {
    ...server,
    url: `${server.url}/client/v4`,
    account,
    fail: (fault) => void faults.push(fault),
    reset() {
      faults.length = 0;
      behaviour = "as it should";
    },
    deployedAt: (worker) => `${server.url}/deployed/${worker}`,
    behave: (next) => void (behaviour = next),
  };
}

const ROUTES: [RegExp, Answer][] = [
  [/^GET \/accounts$/, () => [{ id: ACCOUNT_ID, name: "Somebody's account" }]],
  [/^GET \/memberships$/, () => [{ id: "member", account: { id: ACCOUNT_ID, name: "Somebody's account" } }]],
  [/^GET \/zones$/, ({ account, query }) => account.zones.filter(({ name }) => name === query.get("name"))],

  [/^GET \/A\/queues$/, ({ account, query }) => listQueues(account, query.getAll("name"))],
  [/^POST \/A\/queues$/, ({ account, exchange }) => keepQueue(account, exchange.record.body)],
  [/^PUT \/A\/queues\/([^/]+)$/, ({ account, exchange, parts: [id] }) => keepQueue(account, exchange.record.body, id)],
  [/^POST \/A\/queues\/([^/]+)\/consumers$/, ({ account, exchange, parts: [id] }) => addConsumer(account, id, exchange.record.body)],
  [/^PUT \/A\/queues\/([^/]+)\/consumers\/([^/]+)$/, () => ({})],

  [/^GET \/A\/r2\/buckets$/, ({ account, query }) => listBuckets(account, query.get("name_contains") ?? "")],
  [/^GET \/A\/r2\/buckets\/([^/]+)$/, ({ account, parts: [name = ""] }) => findBucket(account, name)],
  [/^POST \/A\/r2\/buckets$/, ({ account, exchange }) => makeBucket(account, text(exchange.record.body, "name"))],

  [/^GET \/A\/d1\/database$/, ({ account, query }) => listDatabases(account, query.get("name"))],
  [/^POST \/A\/d1\/database$/, ({ account, exchange }) => makeDatabase(account, text(exchange.record.body, "name"))],
  [/^GET \/A\/d1\/database\/([^/]+)$/, ({ account, parts: [id = ""] }) => describeDatabase(findDatabase(account, id))],
  [
    /^POST \/A\/d1\/database\/([^/]+)\/query$/,
    ({ account, exchange, parts: [id = ""] }) => runSql(account, id, text(exchange.record.body, "sql")),
  ],
  [
    /^GET \/A\/d1\/database\/([^/]+)\/time_travel\/bookmark$/,
    ({ account, query, parts: [id = ""] }) => bookmarkAt(findDatabase(account, id), query.get("timestamp")),
  ],
  [
    /^POST \/A\/d1\/database\/([^/]+)\/time_travel\/restore$/,
    ({ account, query, parts: [id = ""] }) => restore(findDatabase(account, id), query.get("bookmark") ?? ""),
  ],

  [
    /^GET \/A\/workers\/subdomain$/,
    ({ account: { subdomain } }) => (subdomain === null ? refuse(404, 10007, "This account has no workers.dev subdomain.") : { subdomain }),
  ],
  [/^GET \/A\/workers\/services\/([^/]+)$/, ({ account, parts: [name] }) => describeService(findWorker(account, name))],
  [/^GET \/A\/workers\/domains$/, ({ account, query }) => account.domains.filter(({ hostname }) => hostname === query.get("hostname"))],
  [/^PUT \/A\/workers\/domains$/, ({ account, exchange }) => attachDomain(account, exchange.record.body)],
  [/^POST \/A\/workers\/scripts\/([^/]+)\/assets-upload-session$/, ({ account, exchange }) => beginAssets(account, exchange.record.body)],
  [/^POST \/A\/workers\/assets\/upload$/, ({ account, exchange }) => keepAssets(account, exchange)],
  [
    /^PUT \/A\/workers\/scripts\/([^/]+)$/,
    async ({ account, exchange, parts: [name = ""] }) => {
      const { id } = await storeUpload(account, name, uploadOf(exchange));
      account.workers.get(name)?.deployed.unshift(id);
      return { id: name, etag: id, startup_time_ms: 40, deployment_id: id.replaceAll("-", "") };
    },
  ],
  [
    /^POST \/A\/workers\/scripts\/([^/]+)\/versions$/,
    async ({ account, exchange, parts: [name] }) => {
      const version = await storeUpload(account, findWorker(account, name).name, uploadOf(exchange));
      return { ...version, startup_time_ms: 40, metadata: {}, resources: { script: { etag: version.id }, bindings: [] } };
    },
  ],
  [
    /^GET \/A\/workers\/scripts\/([^/]+)\/versions\/([^/]+)$/,
    ({ account, parts: [name, id] }) => findWorker(account, name).versions.find((one) => one.id === id),
  ],
  [
    /^GET \/A\/workers\/scripts\/([^/]+)\/deployments$/,
    ({ account, parts: [name] }) => ({
      deployments: findWorker(account, name).deployed.map((id) => ({ id, versions: [{ version_id: id, percentage: 100 }] })),
    }),
  ],
  [
    /^POST \/A\/workers\/scripts\/([^/]+)\/deployments$/,
    ({ account, exchange, parts: [name] }) => {
      const id = /"version_id":"([^"]+)"/.exec(JSON.stringify(exchange.record.body))?.[1] ?? "";
      findWorker(account, name).deployed.unshift(id);
      return { id };
    },
  ],
  [
    /^GET \/A\/workers\/scripts\/([^/]+)\/secrets$/,
    ({ account, parts: [name] }) =>
      (runningVersion(findWorker(account, name))?.bindings ?? [])
        .filter(({ type }) => type === "secret_text")
        .map((one) => ({ name: one.name, type: one.type })),
  ],
  [
    /^PUT \/A\/workers\/scripts\/([^/]+)\/secrets$/,
    ({ account, exchange, parts: [name] }) =>
      setSecret(findWorker(account, name), text(exchange.record.body, "name"), exchange.record.body),
  ],
  [/^(?:GET|PATCH) \/A\/workers\/scripts\/([^/]+)\/(?:script-)?settings$/, () => ({ bindings: [], tags: [] })],
  [
    /^GET \/A\/workers\/workers\/([^/]+)$/,
    ({ account, parts: [name] }) => ({ name, subdomain: { enabled: findWorker(account, name).isAtWorkersDev, previews_enabled: false } }),
  ],
  [
    /^POST \/A\/workers\/scripts\/([^/]+)\/subdomain$/,
    ({ account, exchange, parts: [name] }) => {
      const worker = findWorker(account, name);
      worker.isAtWorkersDev = JSON.stringify(exchange.record.body).includes('"enabled":true');
      return { enabled: worker.isAtWorkersDev, previews_enabled: false };
    },
  ],
  [
    /^PUT \/A\/workers\/scripts\/([^/]+)\/schedules$/,
    ({ account, exchange, parts: [name] }) => {
      const crons = [...JSON.stringify(exchange.record.body).matchAll(/"cron":"([^"]+)"/g)].map(([, cron = ""]) => cron);
      findWorker(account, name).crons = crons;
      return { schedules: crons.map((cron) => ({ cron })) };
    },
  ],
];

function refuse(status: number, code: number, message: string): never {
  throw new Refused(status, code, message);
}

/** A field of a request's JSON as text. */
function text(body: unknown, field: string): string {
  const value: unknown = typeof body === "object" && body !== null ? Reflect.get(body, field) : undefined;
  return typeof value === "string" ? value : refuse(400, 10001, `The field ${field} is missing.`);
}

function uploadOf({ body, record }: Exchange): { body: Buffer; contentType: string } {
  return { body, contentType: record.headers["content-type"] ?? "" };
}

function listQueues({ queues }: Account, names: string[]): Queue[] {
  return [...queues.values()].filter(({ queue_name: name }) => names.length === 0 || names.includes(name));
}

function keepQueue({ plan, queues }: Account, body: unknown, id?: string): Queue {
  const name = text(body, "queue_name");
  const retention = Number(/"message_retention_period":(\d+)/.exec(JSON.stringify(body))?.[1] ?? USUAL_RETENTION_S);
  if (plan === "free" && retention > FREE_RETENTION_S) {
    refuse(400, 100128, `Message retention period must be at most ${FREE_RETENTION_S} seconds on the free plan.`);
  }
  const known = queues.get(name);
  if (id === undefined && known) refuse(409, 11009, `Queue name '${name}' is already taken. Please use a different name and try again.`);
  const settings = { message_retention_period: retention, delivery_delay: 0 };
  const queue = { ...(known ?? { queue_id: crypto.randomUUID().replaceAll("-", ""), queue_name: name, consumers: [] }), settings };
  queues.set(name, queue);
  return queue;
}

function addConsumer({ queues }: Account, id: string | undefined, body: unknown): unknown {
  const queue = [...queues.values()].find(({ queue_id: own }) => own === id) ?? refuse(404, 11000, "Queue does not exist.");
  const script = text(body, "script_name");
  if (queue.consumers.length > 0) refuse(400, 11004, `Queue ${queue.queue_name} already has a consumer.`);
  queue.consumers.push({ consumer_id: crypto.randomUUID(), type: "worker", script, service: script, environment: "production" });
  return {};
}

function listBuckets({ hasR2, buckets }: Account, part: string): unknown {
  if (!hasR2) refuse(403, 10042, "Please enable R2 through the Cloudflare Dashboard.");
  return { buckets: [...buckets].filter((name) => name.includes(part)).map((name) => ({ name })) };
}

function findBucket({ hasR2, buckets }: Account, name: string): unknown {
  if (!hasR2) refuse(403, 10042, "Please enable R2 through the Cloudflare Dashboard.");
  return buckets.has(name) ? { name } : refuse(404, 10006, "The specified bucket does not exist.");
}

function makeBucket({ hasR2, buckets }: Account, name: string): unknown {
  if (!hasR2) refuse(403, 10042, "Please enable R2 through the Cloudflare Dashboard.");
  if (buckets.has(name)) refuse(409, 10004, "The bucket you tried to create already exists, and you own it.");
  buckets.add(name);
  return { name };
}

function describeDatabase({ uuid, name }: Database) {
  return { uuid, name, version: "production", num_tables: 0, file_size: 0 };
}

function listDatabases({ databases }: Account, name: string | null): unknown {
  return [...databases.values()].filter((one) => name === null || one.name === name).map(describeDatabase);
}

function makeDatabase({ databases }: Account, name: string): unknown {
  if (databases.has(name)) refuse(400, 7502, `A database with the name ${name} already exists`);
  const made = newDatabase(name);
  databases.set(name, made);
  return describeDatabase(made);
}

function findDatabase({ databases }: Account, id: string): Database {
  return (
    [...databases.values()].find(({ uuid, name }) => uuid === id || name === id) ?? refuse(404, 7404, "The database could not be found")
  );
}

/** A database's bookmark of a time, or of now. */
function bookmarkAt({ bookmark }: Database, timestamp: string | null): unknown {
  return { bookmark: timestamp === null ? bookmark : `bookmark-of-${timestamp}` };
}

function restore(database: Database, bookmark: string): unknown {
  if (bookmark === "") refuse(400, 7400, "A bookmark is needed");
  const previous = database.bookmark;
  database.bookmark = bookmark;
  return { bookmark, previous_bookmark: previous, message: "Restored" };
}

/** Runs statements as D1 does: all of them or none, with the rows of each that has some. */
function runSql(account: Account, id: string, statements: string): unknown {
  const { sql } = findDatabase(account, id);
  const isRead = /^\s*(?:SELECT|PRAGMA)\b/i.test(statements);
  try {
    if (isRead) return [{ results: sql.prepare(statements).all(), success: true, meta: { duration: 1 } }];
    sql.exec(`BEGIN; ${statements}\n; COMMIT`);
    return [{ results: [], success: true, meta: { duration: 1 } }];
  } catch (error) {
    if (sql.isTransaction) sql.exec("ROLLBACK");
    return refuse(400, 7500, error instanceof Error ? error.message : String(error));
  }
}

function findWorker({ workers }: Account, name = ""): Worker {
  return workers.get(name) ?? refuse(404, 10007, "This Worker does not exist on your account.");
}

/** Sets a secret, which makes a version of the same code and deploys it; it has no tag. */
function setSecret(worker: Worker, name: string, body: unknown): unknown {
  const before = runningVersion(worker)?.bindings.filter((one) => one.name !== name) ?? [];
  const secret = { type: "secret_text", name, text: text(body, "text") };
  const id = crypto.randomUUID();
  worker.versions.push({
    id,
    number: worker.versions.length + 1,
    annotations: { "workers/triggered_by": "secret" },
    bindings: [...before, secret],
  });
  worker.deployed.unshift(id);
  return { name, type: secret.type };
}

function describeService({ name, migrationTag }: Worker): unknown {
  const script = {
    id: name,
    tag: "0".repeat(32),
    tags: [],
    last_deployed_from: "wrangler",
    ...(migrationTag !== null && { migration_tag: migrationTag }),
  };
  return { id: name, default_environment: { environment: "production", script } };
}

function attachDomain({ domains, records, zones }: Account, body: unknown): unknown {
  const [hostname, service] = [text(body, "hostname"), text(body, "service")];
  const zone = zones.find(({ name }) => hostname === name || hostname.endsWith(`.${name}`)) ?? refuse(404, 10007, "No such zone.");
  if (records.has(hostname)) {
    refuse(
      409,
      100117,
      `Hostname '${hostname}' already has externally managed DNS records (A, CNAME, etc). Either delete them, try a different hostname, or use the option 'override_existing_dns_record' to override.`,
    );
  }
  const domain = { id: crypto.randomUUID(), hostname, service, zone_id: zone.id, environment: "production" };
  domains.push(domain);
  return domain;
}

/** A token as the platform's are, of which only the end of its time is read. */
function newJwt(): string {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${encode({ alg: "none" })}.${encode({ exp: Math.floor(Date.now() / 1000) + 3600 })}.signature`;
}

function beginAssets({ assets }: Account, body: unknown): unknown {
  const hashes = [...JSON.stringify(body).matchAll(/"hash":"([^"]+)"/g)].map(([, hash = ""]) => hash);
  const wanted = [...new Set(hashes)].filter((hash) => !assets.has(hash));
  const buckets = Array.from({ length: Math.ceil(wanted.length / PER_BUCKET) }, (_, n) =>
    wanted.slice(n * PER_BUCKET, (n + 1) * PER_BUCKET),
  );
  return { jwt: newJwt(), buckets };
}

async function keepAssets({ assets }: Account, exchange: Exchange): Promise<unknown> {
  const { body, contentType } = uploadOf(exchange);
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  for (const hash of form.keys()) assets.add(hash);
  return { jwt: newJwt() };
}
