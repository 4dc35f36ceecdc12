import * as z from "zod/mini";
import { Id, ModelId } from "../entities/ids.ts";
import { AllowedModel } from "../entities/model.ts";
import { User } from "../entities/user.ts";
import { ALLOWLIST_LENGTH, DISPLAY_NAME_LENGTH } from "../limits.ts";
import { endpoint } from "./endpoint.ts";

/** Body of `PATCH /api/user`: only the fields to change. */
export const UserPatch = z.partial(
  z.object({
    display_name: z
      .string()
      .check(z.trim(), z.minLength(1, "Name cannot be empty."), z.maxLength(DISPLAY_NAME_LENGTH, "That name is too long.")),
    preferred_model: z.nullable(ModelId),
    auto_mode_default: z.boolean(),
    artifacts_enabled: z.boolean(),
    memory_enabled: z.boolean(),
    triggered_model: z.nullable(ModelId),
    triggered_tool_categories: z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
    triggered_system_prompt_id: z.nullable(z.string().check(z.maxLength(100))),
    triggered_context_ids: z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(100))),
    triggered_memory_enabled: z.boolean(),
    triggered_autopilot_enabled: z.boolean(),
    triggered_reply_all_enabled: z.boolean(),
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
