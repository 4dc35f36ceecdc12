import type { MessageUsage } from "#shared/entities/message.ts";
import type { ToolApproval, ToolCallStatus, ToolImage, ToolPart, ToolSource } from "#shared/entities/tool-call.ts";
import type { PromptPart, ReasoningDetail } from "#worker/platform/clients/prompt.ts";

/** What stays of a call's answer, in characters: enough to recognise what it was. */
export const LEAST_OUTPUT = 1_000;

/** How far a call that acts outside came: once it is `sent` it is never sent again. */
export type Delivery = "pending" | "sent" | "done";

export type StoredCall = {
  id: string;
  round: number;
  /** The model's own id of it, which its result goes back under. */
  givenId: string;
  /** The generation of the reply in which it was made. */
  generation: number;
  tool: string;
  /** As the model wrote them: JSON, or what it took for it. */
  arguments: string;
  /** JSON of the arguments that a person put in their place. */
  editedInput: string | null;
  status: ToolCallStatus;
  delivery: Delivery;
  approval: ToolApproval | null;
  at: number;
  output: string | null;
  sources: ToolSource[];
  images: ToolImage[];
  parts: ToolPart[];
  costMicros: number | null;
  durationMs: number | null;
};

/** Where text and reasoning stood when the round's calls were made, in UTF-16 units, and what must go back with them. */
export type StoredRound = {
  round: number;
  textEnd: number;
  reasoningEnd: number;
  reasoningMs: number;
  reasoningDetails: ReasoningDetail[];
  usage: MessageUsage | null;
  calls: StoredCall[];
};

/** Pictures that calls brought, as a model sees them, by call. */
export type RoundPictures = ReadonlyMap<string, PromptPart[]>;
