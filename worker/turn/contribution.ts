import * as z from "zod/mini";
import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import type { Citation } from "#shared/entities/message.ts";
import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import type { ConnectedTool } from "../tools/connected/connected-tool.ts";
import type { Env } from "../env.ts";
import type { PrivateSource } from "./private-source.ts";
import type { TurnRequest } from "./request.ts";

/** The order of the system prompt's parts, most stable first, so providers' prompt caches hold (decisions, The system prompt). */
export const SECTION_KINDS = ["product", "persona", "personalization", "knowledge", "memory", "passages", "notes"] as const;

/** What of a person's own a part of the system prompt is made of; null for none. */
export const SOURCE_OF_SECTION: Record<(typeof SECTION_KINDS)[number], PrivateSource | null> = {
  product: null,
  persona: null,
  personalization: "memory",
  knowledge: "knowledge",
  memory: "memory",
  passages: "knowledge",
  notes: null,
};

/** A part of the system prompt; `isForeign` where another than the turn's reader wrote it. */
export const Section = z.object({ kind: z.enum(SECTION_KINDS), text: z.string(), isForeign: z.optional(z.boolean()) });
export type Section = z.infer<typeof Section>;

/** What is known when a turn begins; `settings` are those that hold for it. */
export type ContextInput = {
  env: Env;
  request: TurnRequest;
  settings: ChatSettings;
  /** The question that is answered, read only where it is asked for. */
  question: () => Question;
};

/** A question, the last messages before it, oldest first, and what its reply has cited already. */
export type Question = { text: string; before: { role: "user" | "assistant"; text: string }[]; cited: Citation[] };

/** Who a turn speaks as. */
export const TurnPersona = z.object({ id: z.string(), name: z.string() });
export type TurnPersona = z.infer<typeof TurnPersona>;

/** What a turn gives its model besides the conversation; tools by id. */
export type Contribution = {
  sections: Section[];
  tools: string[];
  /** Those of its tools that are of its person's connections. */
  connected: ConnectedTool[];
  persona: TurnPersona | null;
  /** Which facts of its person's memory go along. */
  memoryIds: string[];
  /** The knowledge entries that its tools may look into. */
  contextIds: string[];
  /** What was looked into beforehand; null where there is no knowledge. */
  look: KnowledgeLook | null;
  /** What its sections can be cited by, what its reply cited before at the beginning. */
  citations: Citation[];
};

/** What one feature adds. */
export type Contributor = (input: ContextInput) => Promise<Partial<Contribution>>;
