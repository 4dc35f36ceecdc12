import * as z from "zod/mini";
import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import type { Citation } from "#shared/entities/message.ts";
import type { Reader } from "#worker/people/callers/reader.ts";
import type { TurnModel } from "#worker/people/models/turn-model.ts";
import type { Env } from "#worker/platform/env.ts";

/** The parts of the system prompt in their order: what changes least stands first, so providers' caches of prompts hold. */
export const SYSTEM_KINDS = ["product", "persona", "personalization", "knowledge", "connections"] as const;

/** What goes along with one question, in front of it, in this order. */
export const QUESTION_KINDS = ["memory", "passages", "notes"] as const;

export const SECTION_KINDS = [...SYSTEM_KINDS, ...QUESTION_KINDS] as const;

/**
 * A part of what a model reads besides the conversation; `isUntrusted` where another than the turn's reader wrote it, `entryIds` the knowledge that
 * it quotes.
 */
export const Section = z.object({
  kind: z.enum(SECTION_KINDS),
  text: z.string(),
  isUntrusted: z.optional(z.boolean()),
  entryIds: z.optional(z.array(z.string())),
});
export type Section = z.infer<typeof Section>;

export const TurnPersona = z.object({ id: z.string(), name: z.string() });
export type TurnPersona = z.infer<typeof TurnPersona>;

/** A question, the last messages before it, oldest first, and what its reply has cited already. */
export type Question = { text: string; before: { role: "user" | "assistant"; text: string }[]; cited: Citation[] };

/** What the library has to know of a turn that begins; `settings` are those that hold for it. */
export type LibraryTurn = {
  env: Env;
  request: {
    chatId: string;
    replyId: string;
    reader: Reader;
    model: Pick<TurnModel, "tools" | "contextLength">;
    /** What of its reader's own it may use. */
    sources: readonly string[];
    /** Whether the reader's memory goes along, and whether the model may save to it. */
    memory: MemoryUse;
    defaultPersonaId: string | null;
    /** The cheap model that rewrites a question; null for none. */
    titleModel: string | null;
  };
  settings: ChatSettings;
  /** The question that is answered, read only where it is asked for. */
  question: () => Question;
};

export type MemoryUse = "off" | "read" | "save";

/** What the library gives a turn's model; tools by id. */
export type LibraryContribution = {
  sections: Section[];
  tools: string[];
  persona: TurnPersona | null;
  /** The knowledge entries that its tools may look into. */
  knowledgeIds: string[];
  /** What was looked into beforehand; null where there is no knowledge. */
  look: KnowledgeLook | null;
  /** What its sections can be cited by, what its reply cited before at the beginning. */
  citations: Citation[];
};

/** What a model gets for a call of a tool that is the library's. */
export type ToolAnswer = { ok: true; output: string } | { ok: false; error: string };
