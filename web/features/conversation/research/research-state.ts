import type { ToolCall } from "#shared/entities/tool-call.ts";
import { RESEARCH_TOOLS } from "#shared/research/research-tools.ts";
import { firstText } from "#web/features/conversation/tools/tool-input.ts";
import { counted } from "#web/lib/format.ts";

/** One sub-question as its row shows it. */
export type QuestionRow = {
  call: ToolCall;
  question: string;
  /** What is being done, or what came of it: 'Reading', '6 sources'. */
  note: string;
  /** The titles of the pages found so far. */
  found: string[];
};

export type ResearchState = {
  /** 'Looking into 4 questions', 'Researched 5 questions'. */
  headline: string;
  /** How far it is, while it looks into things. */
  progress: string | null;
  planned: QuestionRow[];
  /** Sub-questions added after the look for gaps. */
  added: QuestionRow[];
  /** The different pages found. */
  sources: number;
  /** US dollars of the steps so far. */
  cost: number;
  /** True until the report is done, or the run was stopped. */
  isRunning: boolean;
};

const isCall = (tool: string) => (call: ToolCall) => call.tool === tool;

/** Where a research stands, by its steps; `isLive` while its answer is. */
export function researchState(calls: readonly ToolCall[], isLive: boolean): ResearchState {
  const gaps = calls.findIndex(isCall(RESEARCH_TOOLS.gaps));
  const rows = calls.flatMap((call, index) => (call.tool === RESEARCH_TOOLS.question ? [{ index, row: rowOf(call) }] : []));
  const planned = rows.filter(({ index }) => gaps === -1 || index < gaps).map(({ row }) => row);
  const added = rows.filter(({ index }) => gaps !== -1 && index > gaps).map(({ row }) => row);
  const wave = added.length > 0 ? added : planned;
  const ended = wave.filter(({ call }) => call.status !== "running").length;
  const isLooking = wave.some(({ call }) => call.status === "running");
  return {
    headline: isLive ? headlineOf(calls, { planned, added, isLooking }) : endedHeadline(calls, planned.length + added.length),
    progress: isLive && isLooking ? `${ended} of ${wave.length} done` : null,
    planned,
    added,
    sources: new Set(rows.flatMap(({ row }) => row.found)).size,
    cost: calls.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
    isRunning: isLive,
  };
}

/** Milliseconds that the steps took: those of one wave ran at once. */
export function stepsMs(calls: readonly ToolCall[]): number {
  const gaps = calls.findIndex(isCall(RESEARCH_TOOLS.gaps));
  const waves = Map.groupBy(calls.entries(), ([index, { tool }]) => `${tool} ${gaps !== -1 && index > gaps}`);
  return [...waves.values()].reduce((sum, wave) => sum + Math.max(0, ...wave.map(([, call]) => call.duration_ms ?? 0)), 0);
}

type Waves = { planned: QuestionRow[]; added: QuestionRow[]; isLooking: boolean };

function headlineOf(calls: readonly ToolCall[], { planned, added, isLooking }: Waves): string {
  const last = calls.at(-1);
  if (last?.tool === RESEARCH_TOOLS.plan) return "Planning the research";
  if (isLooking)
    return added.length > 0 ? `Filling ${counted(added.length, "gap")}` : `Looking into ${counted(planned.length, "question")}`;
  if (last?.tool === RESEARCH_TOOLS.gaps && last.status === "running") return "Checking what is missing";
  return "Writing the report";
}

function endedHeadline(calls: readonly ToolCall[], questions: number): string {
  if (questions > 0) return `Researched ${counted(questions, "question")}`;
  return calls.at(-1)?.status === "failed" ? "Could not plan the research" : "Planned the research";
}

function rowOf(call: ToolCall): QuestionRow {
  const found = foundIn(call);
  return { call, question: firstText(call.input, "question") ?? "", note: noteOf(call, found.length), found };
}

const DOING: Record<string, string> = { search: "Searching", read: "Reading", notes: "Taking notes" };

function noteOf({ status, parts }: ToolCall, found: number): string {
  if (status === "failed") return "Failed";
  if (status === "stopped") return "Stopped";
  if (status === "done") return counted(found, "source");
  return DOING[parts.at(-1)?.id ?? ""] ?? "Waiting";
}

/** What a search listed: `- [3] Title`; once a call has ended, the pages it names itself. */
function foundIn({ sources, parts }: ToolCall): string[] {
  if (sources.length > 0) return sources.map(({ title, url }) => title ?? url);
  const text = parts.find(({ id }) => id === "search")?.text ?? "";
  return Array.from(text.matchAll(/^- \[\d+\] (.+)$/gm), ([, title = ""]) => title);
}
