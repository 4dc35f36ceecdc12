import * as z from "zod/mini";
import { AllowedModel } from "./model.ts";
import { Id } from "./ids.ts";

/** Addresses besides the account's own, from which mail is taken as the user's; `verified_at` is null while a code is awaited. */
export const AdditionalEmails = z.array(z.object({ email: z.string(), verified_at: z.nullable(z.string()) }));
export type AdditionalEmails = z.infer<typeof AdditionalEmails>;

/** The signed-in person or guest; credits in decimal US dollars. */
export const User = z.object({
  id: Id,
  display_name: z.string(),
  /** Null for a guest. */
  email: z.nullable(z.string()),
  profile_image: z.nullable(z.string()),
  preferred_model: z.nullable(z.string()),
  /** Null: every model is allowed. The automatic model is always included. */
  model_allowlist: z.nullable(z.array(AllowedModel)),
  auto_mode_default: z.boolean(),
  artifacts_enabled: z.boolean(),
  memory_enabled: z.boolean(),
  credits: z.number(),
  anonymous: z.boolean(),
  whatsapp_verified: z.boolean(),
  /** True for the administrators of this deployment. */
  is_admin: z.boolean(),
  team_plan: z.boolean(),
  solo_plan: z.boolean(),
  additional_emails: AdditionalEmails,
  triggered_model: z.nullable(z.string()),
  triggered_tool_categories: z.nullable(z.array(z.string())),
  triggered_system_prompt_id: z.nullable(z.string()),
  triggered_context_ids: z.nullable(z.array(z.string())),
  triggered_memory_enabled: z.boolean(),
  triggered_autopilot_enabled: z.boolean(),
  triggered_reply_all_enabled: z.boolean(),
  /** US dollars that triggered messages may cost in a day. */
  triggered_daily_budget: z.number(),
  /** Mails about what happens while nobody looks: own replies that finish, calls that wait, chats that are shared, imports and indexes that are done, schedules that have news. */
  notify_replies: z.boolean(),
  notify_approvals: z.boolean(),
  notify_shares: z.boolean(),
  notify_imports: z.boolean(),
  notify_schedules: z.boolean(),
  /** Days until a call that nobody decided about is discarded: the chosen ones, else the deployment's. */
  approval_days: z.number(),
  /** IANA: the chosen one, else the browser's, else UTC. */
  time_zone: z.string(),
  /** True for a zone that was chosen: no browser replaces it. */
  time_zone_chosen: z.boolean(),
});
export type User = z.infer<typeof User>;

/** Flags the web needs to show only what works in this deployment. */
export const Features = z.object({
  google: z.boolean(),
  /** True where people connect their Gmail, and their Drive. */
  gmail: z.boolean(),
  drive: z.boolean(),
  /** True where they pick files of their Drive. */
  picker: z.boolean(),
  email: z.boolean(),
  guests: z.boolean(),
  feedback: z.boolean(),
  /** True while the models are the local demonstration's. */
  demo: z.boolean(),
  /** True where the local mailbox page exists. */
  mailbox: z.boolean(),
  /** True where the server turns recordings into text, for accounts. */
  transcription: z.boolean(),
  /** True where accounts can link a number of the messaging app. */
  whatsapp: z.boolean(),
  /** True where accounts can be notified by web push. */
  push: z.boolean(),
  /** True where personas, prompts and knowledge can be shared by link. */
  shareLinks: z.boolean(),
  /** True where this deployment has artifacts; each user's `artifacts_enabled` counts besides. */
  artifacts: z.boolean(),
  /** True where accounts without the team plan make teams as well. */
  teamsForAll: z.boolean(),
  /** True where a new account needs the code of an invite. */
  signUpByInvite: z.boolean(),
  /** Where one writes to for a plan; null where nobody is named. */
  operatorEmail: z.nullable(z.string()),
  /** Free messages a day for guests; 0 where guests are off. */
  guestMessagesPerDay: z.number(),
  /** The build, changes with every release: a newer one asks to reload. */
  version: z.string(),
});
export type Features = z.infer<typeof Features>;
