import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import type { ConnectedTool } from "#worker/conversation/tools/connected/connected-tool.ts";
import type { LibraryContribution, Question, SECTION_KINDS } from "#worker/library/contribution.ts";
import type { Env } from "#worker/platform/env.ts";
import type { PrivateSource } from "#worker/conversation/tools/private-source.ts";
import type { TurnRequest } from "./request.ts";

/** What of a person's own a section is made of; null for none. */
export const SOURCE_OF_SECTION: Record<(typeof SECTION_KINDS)[number], PrivateSource | null> = {
  product: null,
  persona: null,
  personalization: "memory",
  knowledge: "knowledge",
  connections: null,
  memory: "memory",
  passages: "knowledge",
  notes: null,
};

/** What is known when a turn begins; `settings` are those that hold for it. */
export type ContextInput = {
  env: Env;
  request: TurnRequest;
  settings: ChatSettings;
  /** The question that is answered, read only where it is asked for. */
  question: () => Question;
};

/** What a turn gives its model besides the conversation. */
export type Contribution = LibraryContribution & {
  /** Those of its tools that are of its person's connections. */
  connected: ConnectedTool[];
  /** Which facts of its person's memory go along. */
  memoryIds: string[];
};

/** What one feature adds. */
export type Contributor = (input: ContextInput) => Promise<Partial<Contribution>>;
