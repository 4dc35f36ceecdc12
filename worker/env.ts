import type { FileFormat } from "#shared/attachment-rules.ts";
import type { AllowedModel } from "#shared/entities/model.ts";
import type { ToolSettings } from "#shared/entities/tool-setting.ts";
import type { ChatRoom } from "./chat-room/chat-room.ts";
import type { Database } from "./db/client.ts";
import type { RateLimiter } from "./rate-limiter/rate-limiter.ts";
import type { ReindexStep } from "./search/reindex.ts";
import type { UserHub } from "./user-hub/user-hub.ts";

/** What a queue message can ask for; keys, never content (a message holds 128 KB at most). */
export type Job =
  | { kind: "chat.purge"; chatId: string; userIds: string[] }
  | { kind: "copy.abandon"; chatId: string; copyId: string; createdAt: string }
  | { kind: "chats.delete"; userId: string; jobId: string }
  | { kind: "guest.purge"; userId: string }
  | { kind: "reindex"; userId: string; step: ReindexStep }
  | { kind: "invitations.take"; userId: string; emails: string[] }
  | { kind: "guest.merge"; guestId: string; accountId: string };

/** Asks for the text in a stored file: hostile files keep nobody waiting but whoever uploaded them. */
export type ReadJob = { kind: "file.read"; key: string; format: FileFormat; size: number };

/** Bindings and variables; the README's "Configuration" explains each variable. */
export type Env = {
  ASSETS: Fetcher;
  DB: D1Database;
  FILES: R2Bucket;
  CHAT_ROOM: DurableObjectNamespace<ChatRoom>;
  USER_HUB: DurableObjectNamespace<UserHub>;
  RATE_LIMITER: DurableObjectNamespace<RateLimiter>;
  JOBS: Queue<Job>;
  READS: Queue<ReadJob>;
  EMAIL?: SendEmail;

  /** At least 32 characters; signs cookies and keys the codes' hashes. */
  SESSION_SECRET?: string;
  /** The public origin, e.g. `https://chat.example.com`; the request's own when absent. */
  APP_ORIGIN?: string;
  /** `production`, or `local` under the local server: responses are checked against their contracts there. */
  ENVIRONMENT?: string;
  /** Shown as the build; a change asks open tabs to reload. */
  VERSION?: string;

  AGGREGATOR_URL?: string;
  OPENROUTER_API_KEY?: string;
  /** `true` where the models are the local demonstration's. */
  AGGREGATOR_SIMULATED?: string;
  TITLE_MODEL?: string;
  PRO_MODELS?: string;
  TURBO_MODELS?: string;

  /** Another OpenAI-compatible server for transcribing speech; the aggregator's unless given. */
  TRANSCRIPTION_URL?: string;
  TRANSCRIPTION_API_KEY?: string;
  TRANSCRIPTION_MODEL?: string;
  /** US dollars a minute, where the service does not tell what a recording cost; 0.006 unless given. */
  TRANSCRIPTION_PRICE?: string;

  GOOGLE_CLIENT_ID?: string;
  GOOGLE_CLIENT_SECRET?: string;
  GOOGLE_AUTH_URL?: string;
  GOOGLE_TOKEN_URL?: string;
  GOOGLE_JWKS_URL?: string;
  GOOGLE_ISSUER?: string;

  PARALLEL_URL?: string;
  /** Without it there is no web search. */
  PARALLEL_API_KEY?: string;
  EXA_URL?: string;
  /** Without it there is neither reading pages nor finding images. */
  EXA_API_KEY?: string;
  /** DNS over HTTPS in its JSON form; Cloudflare's unless given. */
  DNS_URL?: string;

  RESEND_URL?: string;
  RESEND_API_KEY?: string;
  MAIL_FROM?: string;
  OPERATOR_EMAIL?: string;
  /** `true` where `/dev/mailbox` exists. */
  MAILBOX_SIMULATED?: string;

  SIGNUP?: string;
  GUEST_MESSAGES_PER_DAY?: string;
  /** Turns one person may begin in any 60 seconds; 30 unless given, 0 for no limit. */
  MESSAGES_PER_MINUTE?: string;
  CODES_PER_HOUR_PER_ADDRESS?: string;
  CODES_PER_HOUR_PER_IP?: string;
  /** US dollars a new account begins with; 5 unless given. */
  DEFAULT_CREDITS?: string;
};

/** Who asks: proven by the cookie, renewed against the session's row. */
export type Caller = {
  userId: string;
  sessionId: string;
  anonymous: boolean;
  displayName: string;
  plan: "none" | "solo" | "team";
};

/** What a user set about models; null allows every model, and prefers none. */
export type ModelSettings = { allowlist: AllowedModel[] | null; preferred: string | null };

/** What a user set about tools: single ones by id, and the categories that their new chats begin with. */
export type ToolWishes = { settings: ToolSettings; defaultCategories: string[] };

/** Hono's types of this app: bindings, and what the middleware sets. */
export type AppContext = {
  Bindings: Env;
  Variables: {
    db: Database;
    /** Null for a visitor without a session. */
    caller: Caller | null;
    /** What the caller set about models, where the session's row was read anyway; else null. */
    modelSettings: ModelSettings | null;
    /** The same of what the caller set about tools. */
    toolWishes: ToolWishes | null;
    /** `Set-Cookie` lines for whatever answer comes. */
    cookies: string[];
    /** The address of the asking machine, for limits by IP. */
    ip: string;
  };
};
