import * as z from "zod/mini";
import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import type { Env } from "../env.ts";
import type { TurnRequest } from "./request.ts";

/** The order of the system prompt's parts, most stable first, so that providers' prompt caches hold (decisions, The system prompt). */
export const SECTION_KINDS = ["product", "persona", "personalization", "knowledge", "memory", "passages", "notes"] as const;

/** A part of the system prompt; `isForeign` where another than the turn's reader wrote it. */
export const Section = z.object({ kind: z.enum(SECTION_KINDS), text: z.string(), isForeign: z.optional(z.boolean()) });
export type Section = z.infer<typeof Section>;

/** What is known when a turn begins; `settings` are those that hold for it. */
export type ContextInput = { env: Env; request: TurnRequest; settings: ChatSettings };

/** Who a turn speaks as. */
export const TurnPersona = z.object({ id: z.string(), name: z.string() });
export type TurnPersona = z.infer<typeof TurnPersona>;

/** What a turn tells its model besides the conversation; tools by id, and which facts of its person's memory. */
export type Contribution = { sections: Section[]; tools: string[]; persona: TurnPersona | null; memoryIds: string[] };

/** What one feature adds. */
export type Contributor = (input: ContextInput) => Promise<Partial<Contribution>>;
