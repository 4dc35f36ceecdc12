import * as z from "zod/mini";
import { ToolCategoryIds } from "#shared/entities/chat-settings.ts";
import { Id, ModelId } from "#shared/entities/ids.ts";
import { Prompt, PromptSummary } from "#shared/entities/prompt.ts";
import { CONTENT_NAME_LENGTH, CONTEXTS_PER_CHAT, PROMPT_LENGTH } from "#shared/limits.ts";
import { PROMPT_PROBLEMS } from "#shared/library/prompt-problems.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { asName, someText } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const PromptParams = z.object({ id: Id });

// At U+0000 the functions of SQL that read text stop.
const withoutNull = z.overwrite<string>((text) => text.replaceAll("\u0000", ""));

export const PromptName = z
  .string()
  .check(asName, z.minLength(1, PROMPT_PROBLEMS.noName), z.maxLength(CONTENT_NAME_LENGTH, PROMPT_PROBLEMS.longName));

export const PromptContent = z
  .string()
  .check(withoutNull, z.trim(), someText(PROMPT_PROBLEMS.noContent), z.maxLength(PROMPT_LENGTH, PROMPT_PROBLEMS.longContent));

/** What a prompt sets in the chat that it is used in; null, and an empty list, leave that as it is. */
export const PromptSettings = z.partial(
  z.object({
    tool_categories: z.nullable(ToolCategoryIds),
    persona_id: z.nullable(Id),
    model_id: z.nullable(ModelId),
    context_ids: z.nullable(z.array(Id).check(z.maxLength(CONTEXTS_PER_CHAT, "That list is too long."))),
  }),
);

/** Where among one's own prompts it stands: right behind this one, and with null before all. */
const After = z.optional(z.nullable(Id));

export const listPrompts = endpoint("GET", "/api/template-messages", {
  summary: "The caller's prompts in their order, then those of their teams by name, each with the beginning of its content",
  access: "account",
  response: z.object({ prompts: z.array(PromptSummary) }),
});

export const createPrompt = endpoint("POST", "/api/template-messages", {
  summary: "Create a prompt, before all others unless `after` names one, a team's where `team_id` does; the client may choose its id",
  access: "account",
  repeat: "key",
  body: z.object({
    id: z.optional(Id),
    name: PromptName,
    content: PromptContent,
    team_id: z.optional(z.nullable(Id)),
    ...PromptSettings.shape,
    after: After,
  }),
  response: z.object({ prompt: Prompt }),
  status: 201,
});

export const getPrompt = endpoint("GET", "/api/template-messages/:id", {
  summary: "One prompt with its content",
  access: "account",
  params: PromptParams,
  response: z.object({ prompt: Prompt }),
});

export const updatePrompt = endpoint("PATCH", "/api/template-messages/:id", {
  summary: "Change a prompt of one's own, with `after` its place, or with `team_id` whose it is",
  access: "account",
  params: PromptParams,
  body: z.extend(z.partial(z.object({ name: PromptName, content: PromptContent, team_id: z.nullable(Id) })), {
    ...PromptSettings.shape,
    after: After,
  }),
  response: z.object({ prompt: Prompt }),
});

export const deletePrompt = endpoint("DELETE", "/api/template-messages/:id", {
  summary: "Delete a prompt",
  access: "account",
  params: PromptParams,
  response: Ok,
});

export const notePromptUse = endpoint("POST", "/api/template-messages/:id/used", {
  summary: "Count one use of a prompt by the caller. `id` is the use's own",
  access: "account",
  repeat: "key",
  params: PromptParams,
  body: z.object({ id: Id }),
  response: Ok,
});
