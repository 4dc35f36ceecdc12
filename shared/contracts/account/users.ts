import * as z from "zod/mini";
import { ToolCategoryIds } from "#shared/entities/chat-settings.ts";
import { Id, ModelId } from "#shared/entities/ids.ts";
import { AllowedModel } from "#shared/entities/model.ts";
import { User } from "#shared/entities/user.ts";
import { ALLOWLIST_LENGTH, APPROVAL_DAYS_MAX, DAILY_BUDGET_MAX, DISPLAY_NAME_LENGTH, TIME_ZONE_LENGTH } from "#shared/limits.ts";
import { isTimeZone } from "#shared/time-zone.ts";
import { asName } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const TimeZone = z.string().check(z.maxLength(TIME_ZONE_LENGTH, "That is no time zone."), z.refine(isTimeZone, "That is no time zone."));

/** Body of `PATCH /api/user`: only the fields to change. */
export const UserPatch = z.partial(
  z.object({
    display_name: z
      .string()
      .check(asName, z.minLength(1, "Name cannot be empty."), z.maxLength(DISPLAY_NAME_LENGTH, "That name is too long.")),
    preferred_model: z.nullable(ModelId),
    auto_mode_default: z.boolean(),
    artifacts_enabled: z.boolean(),
    memory_enabled: z.boolean(),
    triggered_model: z.nullable(ModelId),
    triggered_tool_categories: z.nullable(ToolCategoryIds),
    /** As in a chat: null where it is resolved, an empty text for no persona. */
    triggered_system_prompt_id: z.nullable(z.union([Id, z.literal("")])),
    triggered_context_ids: z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
    triggered_memory_enabled: z.boolean(),
    triggered_autopilot_enabled: z.boolean(),
    triggered_reply_all_enabled: z.boolean(),
    /** US dollars. */
    triggered_daily_budget: z
      .number()
      .check(
        z.gte(0, "The budget cannot be below zero."),
        z.lte(DAILY_BUDGET_MAX, `The budget may be at most $${DAILY_BUDGET_MAX.toLocaleString("en")} a day.`),
      ),
    notify_replies: z.boolean(),
    notify_approvals: z.boolean(),
    notify_shares: z.boolean(),
    notify_imports: z.boolean(),
    notify_schedules: z.boolean(),
    approval_days: z
      .number()
      .check(
        z.int("Give a whole number of days."),
        z.gte(1, "A call waits a day at least."),
        z.lte(APPROVAL_DAYS_MAX, `A call waits ${APPROVAL_DAYS_MAX} days at most.`),
      ),
    /** The chosen zone; null takes the browser's from now on. */
    time_zone: z.nullable(TimeZone),
    /** What the browser says; it holds where none was chosen. */
    browser_time_zone: TimeZone,
  }),
);
export type UserPatch = z.infer<typeof UserPatch>;

export const getUser = endpoint("GET", "/api/user", {
  summary: "The signed-in person",
  access: "user",
  response: z.object({ user: User }),
});

export const updateUser = endpoint("PATCH", "/api/user", {
  summary: "Change own settings; a preferred model outside the allowlist is replaced by the first allowed",
  access: "user",
  body: UserPatch,
  response: z.object({ user: User }),
});

export const putPicture = endpoint("PUT", "/api/user/picture", {
  summary: "Replace the profile picture by the raw body: a PNG, JPEG or WebP of at most 1 MB, by its content",
  access: "account",
  response: z.object({ user: User }),
});

export const deletePicture = endpoint("DELETE", "/api/user/picture", {
  summary: "Remove the profile picture",
  access: "account",
  response: z.object({ user: User }),
});

export const getPicture = endpoint("GET", "/api/pictures/:id", {
  summary: "A profile picture, by its unguessable id",
  access: "anyone",
  params: z.object({ id: Id }),
});

/** `null` allows every model; a plain list of ids is converted to `{ id, name }`. */
export const Allowlist = z.nullable(
  z.array(z.union([AllowedModel, ModelId])).check(z.maxLength(ALLOWLIST_LENGTH, "That list is too long.")),
);

export const getAllowlist = endpoint("GET", "/api/user/model-allowlist", {
  summary: "The models that appear in the selector",
  access: "user",
  response: z.object({ model_allowlist: z.nullable(z.array(AllowedModel)) }),
});

export const putAllowlist = endpoint("PUT", "/api/user/model-allowlist", {
  summary: "Replace the models that appear in the selector; the automatic model is always included",
  access: "user",
  body: z.object({ model_allowlist: Allowlist }),
  response: z.object({ model_allowlist: z.nullable(z.array(AllowedModel)), preferred_model: z.nullable(z.string()) }),
});
