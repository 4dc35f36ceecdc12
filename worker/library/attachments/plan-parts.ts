import { PROMPT_FILES_BYTES } from "#shared/limits.ts";
import type { RoomFile } from "./room-file.ts";
import type { TurnModel } from "#worker/people/models/turn-model.ts";
import { pdfLength, pictureLength } from "#worker/platform/spending/carried-length.ts";
import { CHARACTERS_PER_TOKEN } from "#worker/platform/spending/money.ts";

/** What is taken for a model's context where it is unknown, in tokens. */
const ASSUMED_CONTEXT = 32_000;
/** The part of the context that files may fill: the conversation and the answer need the rest. */
const SHARE = 0.5;

/** How a file goes to a model: as it is, as its first `characters`, or not at all and why. */
export type PartPlan = { file: RoomFile } & ({ as: "image" | "pdf" } | { as: "text"; characters: number } | { as: "note"; reason: string });

type Reads = Pick<TurnModel, "vision" | "takesFiles" | "contextLength">;

/** What a file is taken for in the prompt, in characters. */
export function plannedLength(plan: PartPlan): number {
  if (plan.as === "image") return pictureLength(plan.file.size);
  if (plan.as === "pdf") return pdfLength(plan.file);
  return plan.as === "text" ? plan.characters : 0;
}

/** Decides how each file of a conversation goes to the model, the newest message's first, as long as there is room. `messages` in reading order. */
export function planParts(messages: readonly { id: string; files: readonly RoomFile[] }[], model: Reads): Map<string, PartPlan[]> {
  const room = {
    bytes: PROMPT_FILES_BYTES,
    characters: Math.floor((model.contextLength ?? ASSUMED_CONTEXT) * CHARACTERS_PER_TOKEN * SHARE),
  };
  const plans = new Map<string, PartPlan[]>();
  for (const { id, files: carried } of messages.toReversed()) {
    const files = carried.filter(({ kind }) => kind !== "audio");
    if (files.length > 0)
      plans.set(
        id,
        files.map((file) => planPart(file, model, room)),
      );
  }
  return plans;
}

function planPart(file: RoomFile, model: Reads, room: { bytes: number; characters: number }): PartPlan {
  if (file.isMissing) return { file, as: "note", reason: "it is no longer stored." };
  if (file.kind === "image") {
    if (!model.vision) return { file, as: "note", reason: "this model cannot see pictures." };
    return takeBytes(file, room) ? { file, as: "image" } : { file, as: "note", reason: "the pictures after it left no room." };
  }
  if (file.kind === "pdf" && model.takesFiles && takeBytes(file, room)) return { file, as: "pdf" };
  if (file.unread !== null) return { file, as: "note", reason: file.unread };
  const characters = Math.min(file.characters, room.characters);
  room.characters -= characters;
  return characters > 0 ? { file, as: "text", characters } : { file, as: "note", reason: "the files after it left no room." };
}

function takeBytes({ size }: RoomFile, room: { bytes: number }): boolean {
  if (size > room.bytes) return false;
  room.bytes -= size;
  return true;
}
