import type { ToolCall } from "#shared/entities/tool-call.ts";
import { formatDuration } from "#web/features/conversation/messages/turn-text.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { presenterOf } from "./presenters/registry.ts";

/** How a row looks; `busy` moves, `failed` and `ended` are distinguished by more than colour. */
export type RowState = "busy" | "done" | "failed" | "ended";

export type ToolLine = {
  state: RowState;
  /** 'Searched the web'. */
  verb: string;
  /** 'for notice periods'. */
  about: string | null;
  /** '5 results', '1.2 s', in this order. */
  stats: string[];
};

/** A call's row in plain words, for the reader with this id. */
export function toolLineOf(call: ToolCall, readerId: string | undefined): ToolLine {
  const decider = nameOf(call.approval, readerId);
  const presenter = presenterOf(call.tool);
  const phrases = presenter.phrases(call);
  const { about } = phrases;
  switch (call.status) {
    case "running":
      return { state: "busy", verb: phrases.doing, about, stats: [] };
    case "waiting":
      return {
        state: "busy",
        verb: `Wants to ${phrases.infinitive}`,
        about,
        stats: [`Waiting for ${decider}`],
      };
    case "failed":
      return { state: "failed", verb: `Could not ${phrases.infinitive}`, about, stats: ["Failed", ...timeOf(call)] };
    case "stopped":
      return { state: "ended", verb: phrases.doing, about, stats: ["Stopped"] };
    case "discarded":
      return {
        state: "ended",
        verb: `Discarded: ${presenter.name}`,
        about: null,
        stats: [
          call.approval?.isExpired ? "Nobody decided in time" : call.approval?.isChangeAsked ? `Changed by ${decider}` : `By ${decider}`,
        ],
      };
    case "done":
      return {
        state: "done",
        verb: phrases.done,
        about,
        stats: [...decisionOf(call.approval, decider), ...presenter.figures(call), ...timeOf(call)],
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
