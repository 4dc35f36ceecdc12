import type { getSession } from "#shared/contracts/account/auth.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { AllowedModel } from "#shared/entities/model.ts";
import type { Features, User } from "#shared/entities/user.ts";
import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";

const { text, flag, number, nullable, listOf, record } = shape;

const user = record<User>({
  id: text,
  display_name: text,
  email: nullable(text),
  profile_image: nullable(text),
  preferred_model: nullable(text),
  model_allowlist: nullable(listOf(record<AllowedModel>({ id: text, name: text }))),
  auto_mode_default: flag,
  artifacts_enabled: flag,
  memory_enabled: flag,
  credits: number,
  anonymous: flag,
  whatsapp_verified: flag,
  is_admin: flag,
  team_plan: flag,
  solo_plan: flag,
  additional_emails: listOf(record<User["additional_emails"][number]>({ email: text, verified_at: nullable(text) })),
  triggered_model: nullable(text),
  triggered_tool_categories: nullable(listOf(text)),
  triggered_system_prompt_id: nullable(text),
  triggered_context_ids: nullable(listOf(text)),
  triggered_memory_enabled: flag,
  triggered_autopilot_enabled: flag,
  triggered_reply_all_enabled: flag,
  triggered_daily_budget: number,
  notify_replies: flag,
  notify_approvals: flag,
  notify_shares: flag,
  notify_imports: flag,
  notify_schedules: flag,
  approval_days: number,
  time_zone: text,
  time_zone_chosen: flag,
});

const features = record<Features>({
  google: flag,
  gmail: flag,
  drive: flag,
  picker: flag,
  email: flag,
  guests: flag,
  feedback: flag,
  demo: flag,
  mailbox: flag,
  transcription: flag,
  whatsapp: flag,
  push: flag,
  shareLinks: flag,
  artifacts: flag,
  teamsForAll: flag,
  signUpByInvite: flag,
  operatorEmail: nullable(text),
  guestMessagesPerDay: number,
  version: text,
});

type Answer = ResponseOf<typeof getSession>;
/** Who is here: what an earlier version remembered, and a server that is still of one, says nothing of what is kept. */
export type SessionAnswer = Omit<Answer, "keeps_nothing"> & { keeps_nothing?: Answer["keeps_nothing"] | undefined };

/** The last answer about who is here, so name and list paint before the network. */
export const rememberedSession = stored<SessionAnswer | null>(
  "session",
  nullable(record<SessionAnswer>({ user: nullable(user), features, keeps_nothing: shape.optional(flag) })),
  null,
);
