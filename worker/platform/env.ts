import type { ApiScope } from "#shared/entities/library/api-key.ts";
import type { AllowedModel } from "#shared/entities/model.ts";
import type { ToolSettings } from "#shared/entities/tool-setting.ts";
import type { Plan } from "#shared/plans.ts";
import { type Config, readConfig } from "#worker/platform/config/config.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { PersonRow } from "#worker/platform/db/schema/person.ts";

/** A message of a queue: a job's kind beside its payload (jobs/job.ts). */
type JobMessage = { kind: string; [field: string]: unknown };

/** The bindings. Variables are read by `configOf` alone. */
export type Env = {
  ASSETS: Fetcher;
  DB: D1Database;
  FILES: R2Bucket;
  CHAT_ROOM: DurableObjectNamespace;
  USER_HUB: DurableObjectNamespace;
  RATE_LIMITER: DurableObjectNamespace;
  PASSAGES: DurableObjectNamespace;
  DRIVE_INDEX: DurableObjectNamespace;
  JOBS: Queue<JobMessage>;
  /** What is read here is hostile at worst, and keeps nobody waiting but whoever uploaded it. */
  READS: Queue<JobMessage>;
  /** What nobody waits for: the night, and all that its jobs ask for. */
  BULK: Queue<JobMessage>;
  EMAIL?: SendEmail;
};

const configs = new WeakMap<Env, Config>();

/** The configuration of this deployment, read with the first question: `env` is one object as long as an isolate lives. Throws CONFIGURATION_BROKEN. */
export function configOf(env: Env): Config {
  const known = configs.get(env);
  if (known) return known;
  const config = readConfig(env);
  configs.set(env, config);
  return config;
}

/** Who asks: proven by the cookie, renewed against the session's row. */
export type Caller = {
  userId: string;
  sessionId: string;
  anonymous: boolean;
  displayName: string;
  plan: Plan;
  /** When their session ends unless it is used again, in epoch milliseconds, where its row was read before anything else. */
  endsAt?: number;
  /** The key that another program asks with, what it may do, and what its answers may cost in a month, in micro-dollars; absent in a browser. */
  key?: { id: string; scopes: readonly ApiScope[]; budgetMicros: number | null };
};

/** What a user set about models; null allows every model, and prefers none. */
export type ModelSettings = { allowlist: AllowedModel[] | null; preferred: string | null };

/** What a user set for their turns: single tools by id, the categories that their new chats begin with, and their default persona. */
export type ToolPreferences = {
  settings: ToolSettings;
  defaultCategories: string[];
  defaultPersonaId: string | null;
  /** Days that a call waits for their word; null where the deployment's number holds. */
  approvalDays: number | null;
  memory: MemoryPreferences;
};

/** Whether a user has models use and keep their memory, and whether messages that nobody typed do too. */
export type MemoryPreferences = { isOn: boolean; isOnWhenTriggered: boolean };

/** When a session's row was read, and until when that may be relied on, in epoch milliseconds. */
export type RowRead = { at: number; until: number };

/**
 * How a message's session is known: by its row, of which `digest` is, with when it was read and until when that may be relied on (epoch ms);
 * or, with null, by what the row said before, which the caller's hub has to know. `confirm` reads the row after all. Throws UNAUTHENTICATED.
 */
export type KnownSession = { digest: string } & (
  | { row: RowRead; confirm: null }
  | {
      row: null;
      confirm: () => Promise<{ caller: Caller; settings: ModelSettings; preferences: ToolPreferences; session: KnownSession }>;
    }
);

/** Hono's types of this app: bindings, and what the middleware sets. */
export type AppContext = {
  Bindings: Env;
  Variables: {
    db: Database;
    /** Null for a visitor without a session. */
    caller: Caller | null;
    /** Whether the caller's session still stands, while its row is read; null where that is known or does not matter. */
    confirmed: Promise<boolean> | null;
    /** What the caller set about models, where the session's row was read anyway; else null. */
    modelSettings: ModelSettings | null;
    /** The same of what the caller set about tools. */
    toolPreferences: ToolPreferences | null;
    /** The caller's own row, where it was read with their session's; else null. */
    person: PersonRow | null;
    /** How the session of a message is known; null for any other request. */
    knownSession: KnownSession | null;
    /** True where the session's row, if it was read, says that nothing is to stay on the device. */
    keepsNothing: boolean;
    /** `Set-Cookie` lines for whatever answer comes. */
    cookies: string[];
    /** The address of the asking machine, for limits by IP. */
    ip: string;
  };
};
