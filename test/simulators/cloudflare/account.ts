import { DatabaseSync } from "node:sqlite";

export const ACCOUNT_ID = "0123456789abcdef0123456789abcdef";

export type Queue = {
  queue_id: string;
  queue_name: string;
  settings: { message_retention_period: number; delivery_delay: number };
  consumers: { consumer_id: string; type: string; script: string; service: string; environment: string; dead_letter_queue?: string }[];
};

/** `bookmark` names its state, as Time Travel does. */
export type Database = { uuid: string; name: string; sql: DatabaseSync; bookmark: string };

export type Binding = { type: string; name: string; text?: string; [field: string]: unknown };
export type Version = { id: string; number: number; annotations: Record<string, string>; bindings: Binding[] };

export type Worker = {
  name: string;
  migrationTag: string | null;
  classes: Set<string>;
  versions: Version[];
  /** Ids of the versions that were deployed, the newest first. */
  deployed: string[];
  crons: string[];
  isAtWorkersDev: boolean;
};

/** What one account at Cloudflare has. A test changes it as somebody does in the dashboard. */
export type Account = {
  /** Its name at workers.dev; null where Workers was never opened. */
  subdomain: string | null;
  hasR2: boolean;
  plan: "free" | "paid";
  zones: { id: string; name: string; status: string }[];
  /** Hosts with DNS records that somebody made by hand. */
  records: Set<string>;
  domains: { id: string; hostname: string; service: string; zone_id: string; environment: string }[];
  queues: Map<string, Queue>;
  buckets: Set<string>;
  databases: Map<string, Database>;
  workers: Map<string, Worker>;
  /** Hashes of the static files that it has. */
  assets: Set<string>;
};

/** An account as it is once somebody followed docs/deploying.md up to the deployment; `fresh` as it is on the first day. */
export function newAccount({ fresh = false } = {}): Account {
  return {
    subdomain: fresh ? null : "someone",
    hasR2: !fresh,
    plan: fresh ? "free" : "paid",
    zones: fresh ? [] : [{ id: "zone-of-example", name: "example.com", status: "active" }],
    records: new Set(),
    domains: [],
    queues: new Map(),
    buckets: new Set(),
    databases: new Map(),
    workers: new Map(),
    assets: new Set(),
  };
}

/** The version that a Worker answers with. */
export function runningVersion(worker: Worker | undefined): Version | null {
  return worker?.versions.find(({ id }) => id === worker.deployed[0]) ?? null;
}

/** A database of a new account's. */
export function newDatabase(name: string): Database {
  return { uuid: crypto.randomUUID(), name, sql: new DatabaseSync(":memory:"), bookmark: "bookmark-of-now" };
}
