import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Preferences } from "#shared/contracts/account/preferences.ts";
import type { AllowedModel } from "#shared/entities/model.ts";

/** Where objects can be made (developers.cloudflare.com/durable-objects/reference/data-location). */
export const REGIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;

/** People and guests; `credits_micros` is in millionths of a US dollar. */
export const users = sqliteTable(
  "users",
  {
    id: text().primaryKey(),
    display_name: text().notNull(),
    /** Trimmed and in lower case; null for a guest. Always proven: by a mailed code, or by Google. */
    email: text().unique(),
    profile_image: text(),
    anonymous: integer({ mode: "boolean" }).notNull().default(false),
    solo_plan: integer({ mode: "boolean" }).notNull().default(false),
    team_plan: integer({ mode: "boolean" }).notNull().default(false),
    credits_micros: integer().notNull().default(0),
    preferred_model: text(),
    model_allowlist: text({ mode: "json" }).$type<AllowedModel[]>(),
    preferences: text({ mode: "json" }).$type<Preferences>(),
    auto_mode_default: integer({ mode: "boolean" }).notNull().default(false),
    artifacts_enabled: integer({ mode: "boolean" }).notNull().default(true),
    memory_enabled: integer({ mode: "boolean" }).notNull().default(true),
    triggered_model: text(),
    triggered_tool_categories: text({ mode: "json" }).$type<string[]>(),
    triggered_system_prompt_id: text(),
    triggered_context_ids: text({ mode: "json" }).$type<string[]>(),
    triggered_memory_enabled: integer({ mode: "boolean" }).notNull().default(true),
    triggered_autopilot_enabled: integer({ mode: "boolean" }).notNull().default(false),
    triggered_reply_all_enabled: integer({ mode: "boolean" }).notNull().default(false),
    triggered_daily_budget_micros: integer().notNull().default(1_000_000),
    notify_replies: integer({ mode: "boolean" }).notNull().default(false),
    notify_approvals: integer({ mode: "boolean" }).notNull().default(true),
    notify_shares: integer({ mode: "boolean" }).notNull().default(true),
    notify_imports: integer({ mode: "boolean" }).notNull().default(true),
    notify_schedules: integer({ mode: "boolean" }).notNull().default(true),
    /** Kinds of notices that no push comes about; null for none. */
    push_muted: text({ mode: "json" }).$type<string[]>(),
    /** Days until a call that nobody decided about is discarded; null where the deployment's number holds. */
    approval_days: integer(),
    /** The IANA zone that was chosen; null where the browser's holds. */
    time_zone: text(),
    /** The zone that a browser last named. */
    browser_time_zone: text(),
    /** The persona that their chats begin with, a team's too; null before the first was made. */
    default_persona_id: text(),
    /** Since when an administrator keeps the account from being opened; null where nobody does. */
    blocked_at: text(),
    /** Where they signed in last; null where the network did not say. */
    region: text({ enum: REGIONS }),
    created_at: text().notNull(),
    /** Written at most hourly; a guest unseen for 30 days is deleted. */
    last_seen_at: text().notNull(),
  },
  (table) => [
    index("users_by_last_seen").on(table.last_seen_at, table.id),
    index("users_by_name")
      .on(sql`lower(display_name)`, table.id)
      .where(sql`anonymous = 0`),
    index("users_by_later_name")
      .on(sql`lower(substr(display_name, instr(display_name, ' ') + 1))`, table.id)
      .where(sql`anonymous = 0`),
    index("guests_by_last_seen")
      .on(table.last_seen_at, table.id)
      .where(sql`anonymous = 1`),
  ],
);

/** Which mailboxes had their gift of credits, and the account that got it. */
export const creditGifts = sqliteTable("credit_gifts", {
  mailbox: text().primaryKey(),
  user_id: text().notNull(),
  created_at: text().notNull(),
});

/** An outside sign-in that opens an account; `subject` is the provider's own stable id, never a mail address. */
export const identities = sqliteTable(
  "identities",
  {
    provider: text({ enum: ["google"] }).notNull(),
    subject: text().notNull(),
    /** The address that the provider last named; null where it was not used since that is kept. */
    email: text(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    created_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.subject] }), index("identities_by_user").on(table.user_id)],
);
