import { createContext } from "react";
import type { ToolCall, ToolPart } from "#shared/entities/tool-call.ts";
import { counted } from "#web/lib/format.ts";

/** The tool that asks several models. */
export const SYNTHESIS_TOOL = "multiModelSynthesis";

/** The models that answered within these calls, by the names they are compared under. */
export function comparedModelsOf(calls: readonly ToolCall[]): ComparedModel[] {
  return partsOf(calls).flatMap(({ title, model_id: modelId }) => (modelId === null ? [] : [{ name: title, modelId }]));
}

/** What kind of answer it is where it is more than one model's word: 'Synthesis of 3 answers', 'Truth seeker'. */
export function answerKindLabel(calls: readonly ToolCall[]): string | null {
  if (calls.some(({ tool }) => tool.startsWith("truthSeek"))) return "Truth seeker";
  const parts = partsOf(calls);
  if (parts.length === 0) return null;
  if (parts.some(({ status }) => status === "running")) return "Synthesis";
  return `Synthesis of ${counted(parts.filter(({ status }) => status === "done").length, "answer")}`;
}

function partsOf(calls: readonly ToolCall[]): ToolPart[] {
  return calls.filter(({ tool }) => tool === SYNTHESIS_TOOL).flatMap(({ parts }) => parts);
}

/** What a leg's row says: its answer's first sentence without marks, or why there is none. */
export function firstSentenceOf({ text, status }: Pick<ToolPart, "text" | "status">): string {
  const blocks = text.split(/\n{2,}/).filter((block) => block.trim() !== "");
  const block = status === "failed" ? blocks.at(-1) : (blocks.find((candidate) => !candidate.startsWith("#")) ?? blocks[0]);
  const line = (block ?? "")
    .replaceAll(/^[#>\s]+|^(?:[-*]|\d+\.)\s+/gm, "")
    .replaceAll(/[*_`]+/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return /^.{20,}?[.!?](?=\s)/.exec(line)?.[0] ?? line;
}

/** A model whose answer went into a synthesis. */
type ComparedModel = { name: string; modelId: string };

const NO_MODELS: readonly ComparedModel[] = [];

/** The models that the text around a component compares; none in any other text. */
export const ComparedModelsContext = createContext(NO_MODELS);
