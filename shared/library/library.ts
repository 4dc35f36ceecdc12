import * as z from "zod/mini";
import { PersonaContent, PersonaName } from "#shared/contracts/library/personas.ts";
import { PromptContent, PromptName } from "#shared/contracts/library/prompts.ts";
import { ToolCategoryIds } from "#shared/entities/chat-settings.ts";
import { ModelId, Timestamp } from "#shared/entities/ids.ts";
import { PERSONAS_MAX, PROMPTS_MAX } from "#shared/limits.ts";

/** What a file of prompts and personas says it is; the version grows with every change that an older reader would not understand. */
export const LIBRARY_FORMAT = "polylogue-library";
export const LIBRARY_VERSION = 1;

/** A persona of a file. */
const LibraryPersona = z.strictObject({ name: PersonaName, content: PersonaContent });
export type LibraryPersona = z.infer<typeof LibraryPersona>;

/** A prompt of a file: its persona goes by its name, as ids mean nothing to another person. */
const LibraryPrompt = z.strictObject({
  name: PromptName,
  content: PromptContent,
  tool_categories: z.nullable(ToolCategoryIds),
  persona: z.nullable(PersonaName),
  model_id: z.nullable(ModelId),
});
export type LibraryPrompt = z.infer<typeof LibraryPrompt>;

/** Someone's own personas and prompts as a file has them, in their order. */
export const Library = z.strictObject({
  format: z.literal(LIBRARY_FORMAT),
  version: z.literal(LIBRARY_VERSION),
  exported_at: Timestamp,
  personas: z.array(LibraryPersona).check(z.maxLength(PERSONAS_MAX)),
  prompts: z.array(LibraryPrompt).check(z.maxLength(PROMPTS_MAX)),
});
export type Library = z.infer<typeof Library>;
