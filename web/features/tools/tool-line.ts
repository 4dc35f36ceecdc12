import type { ToolCall } from "#shared/entities/tool-call.ts";
import { formatCost, formatDuration } from "#web/features/chat/turn-text.ts";
import { discardedWords, wordsOf } from "./tool-words.ts";

/** How a row looks; `busy` moves, `failed` and `ended` are told apart by more than colour. */
export type RowState = "busy" | "done" | "failed" | "ended";

export type ToolLine = {
  state: RowState;
  /** 'Searched the web'. */
  verb: string;
  /** 'for notice periods'. */
  about: string | null;
  /** '5 results', '1.2 s', in this order. */
  figures: string[];
};

/** A call's row in plain words, for the reader with this id. */
export function lineOf(call: ToolCall, readerId: string | undefined): ToolLine {
  const decider = nameOf(call.approval, readerId);
  const words = wordsOf(call.tool, call.input, call.parts.length);
  const { about } = words;
  switch (call.status) {
    case "running":
      return { state: "busy", verb: words.doing, about, figures: [] };
    case "waiting":
      return {
        state: "busy",
        verb: `Wants to ${words.wish}`,
        about,
        figures: [`Waiting for ${decider}`],
      };
    case "failed":
      return { state: "failed", verb: `Could not ${words.wish}`, about, figures: ["Failed", ...timeOf(call)] };
    case "stopped":
      return { state: "ended", verb: words.doing, about, figures: ["Stopped"] };
    case "discarded":
      return { state: "ended", verb: discardedWords(call.tool), about: null, figures: [`By ${decider}`] };
    case "done":
      return {
        state: "done",
        verb: words.done,
        about,
        figures: [...decisionOf(call.approval, decider), ...countsOf(call), ...timeOf(call)],
      };
  }
}

function nameOf(approval: ToolCall["approval"], readerId: string | undefined): string {
  if (!approval) return "a decision";
  return approval.user.id === readerId ? "you" : approval.user.display_name;
}

function decisionOf(approval: ToolCall["approval"], decider: string): string[] {
  if (approval?.decision === "always") return ["Always allowed"];
  return approval?.decision === "approve" ? [`Approved by ${decider}`] : [];
}

function countsOf({ tool, sources, images }: ToolCall): string[] {
  const read = sources.filter(({ error }) => error === null).length;
  const failed = sources.length - read;
  if (images.length > 0) return [counted(images.length, "image")];
  if (tool !== "exaCrawl" && read > 0) return [counted(read, "result")];
  return failed > 0 ? [`${failed} failed`] : [];
}

/** Durations below this, in milliseconds, are no news. */
const NOTABLE_MS = 50;

function timeOf({ duration_ms, cost, parts }: ToolCall): string[] {
  const sum = cost ?? sumOf(parts.map((part) => part.cost));
  const time = duration_ms === null || duration_ms < NOTABLE_MS ? [] : [formatDuration(duration_ms)];
  return [...time, ...(parts.length > 0 && sum !== null ? [formatCost(sum)] : [])];
}

function sumOf(costs: (number | null)[]): number | null {
  const known = costs.filter((cost) => cost !== null);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0);
}

/** `1 result`, `5 results`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** How much of a growing text its row shows, in characters. */
const TAIL_LENGTH = 160;

/** The last words of a growing text on one line, without the marks of its headings and lists. */
export function tailOf(text: string): string {
  const line = text
    .slice(-TAIL_LENGTH * 2)
    .replaceAll(/[#*_`>|]+/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length <= TAIL_LENGTH ? line : `…${line.slice(-TAIL_LENGTH)}`;
}
