import { rewriteAnswer } from "./demo/rewrite.ts";
import { randomUUID } from "node:crypto";
import { codeOfLines, markdownOfLength, paragraphOfLength, stampChunk } from "./bytes.ts";
import { demoAnswer, demoReasoning } from "./demo/demo-answer.ts";
import { demoCalls, type DemoRound } from "./demo/demo-calls.ts";
import { demoToolAnswer } from "./demo/demo-tool-answer.ts";
import { summaryAnswer } from "./demo/summary.ts";
import { titleAnswer } from "./demo/title.ts";
import { toolResultsAnswer } from "./demo/tool-results.ts";
import type { CiteDirective, Directives, Round } from "./directives.ts";
import type { WireModel } from "./models/build-model.ts";
import { lastUserMessage, type ChatRequest } from "./request.ts";
import { splitIntoTokens } from "./tokens.ts";

export type PlannedCall = { id: string; name: string; arguments: string };

/** What will be answered. `content` is pulled chunk by chunk as it is written, as its stamps hold the time. */
export type Plan = {
  reasoning: string[];
  content: Iterable<string>;
  contentCount: number;
  calls: PlannedCall[];
  cites: readonly CiteDirective[];
  finish: "stop" | "tool_calls" | "length" | "content_filter";
};

export type PlanInput = {
  request: ChatRequest;
  model: WireModel;
  directives: Directives;
  round: Round | null;
  isTitle: boolean;
  isSummary: boolean;
  isRewrite: boolean;
  variant: number;
  reasoningNote: string | null;
};

/** The messages of the running turn: all that follow the last user message. */
export function sinceUser(request: ChatRequest): ChatRequest["messages"] {
  return request.messages.slice(lastUserMessage(request.messages).index + 1);
}

/** Which round of the directives this request is: the number of answered tool rounds. */
export function currentRound(request: ChatRequest, directives: Directives): Round | null {
  const answered = sinceUser(request).filter((message) => message.role === "assistant" && message.tool_calls?.length).length;
  return directives.rounds[answered] ?? null;
}

/** Decides the answer to a request. */
export function planAnswer(input: PlanInput): Plan {
  const { request, directives, round } = input;
  const limit = request.max_completion_tokens ?? request.max_tokens ?? Infinity;
  const called = round && round.calls.length > 0 ? round : ownCalls(input);
  const plan = called ? planCalls(called) : planText(input);
  const reasoning = reasonsFirst(input)
    ? splitIntoTokens(round?.think ?? (plan.calls.length > 0 ? "The tools will know; I call them first." : reasoningText(input)))
    : [];
  // Reasoning counts inside the limit.
  const left = Math.max(0, limit - reasoning.length);
  if (directives.stamp === null && plan.contentCount > left) {
    const content = [...plan.content].slice(0, left);
    return { ...plan, reasoning: reasoning.slice(0, limit), content, contentCount: left, calls: [], finish: "length" };
  }
  return { ...plan, reasoning };
}

/** True where only its words say what the demonstration does. */
function isUndirected({ directives, isTitle }: PlanInput): boolean {
  const { rounds, say, bytes, paragraph, lines, stamp, checkReasoning, showRequest } = directives;
  return (
    !isTitle &&
    !checkReasoning &&
    !showRequest &&
    rounds.length === 0 &&
    [say, bytes, paragraph, lines, stamp].every((setting) => setting === null)
  );
}

function ownCalls(input: PlanInput): DemoRound | null {
  const { request, directives } = input;
  if (!isUndirected(input)) return null;
  const offered = new Set((request.tools ?? []).flatMap((tool) => tool.function?.name ?? []));
  return demoCalls(directives.prompt, offered, sinceUser(request));
}

function planCalls(round: Pick<Round, "before" | "calls">): Plan {
  const before = splitIntoTokens(round.before ?? "");
  const calls = round.calls.map((call) => ({ id: `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`, ...call }));
  return { reasoning: [], content: before, contentCount: before.length, calls, cites: [], finish: "tool_calls" };
}

function planText(input: PlanInput): Plan {
  const { stamp } = input.directives;
  if (stamp !== null && !input.isTitle)
    return { reasoning: [], content: stamps(stamp), contentCount: stamp, calls: [], cites: citesOf(input), finish: "stop" };
  const content = splitIntoTokens(answerText(input));
  return { reasoning: [], content, contentCount: content.length, calls: [], cites: citesOf(input), finish: "stop" };
}

/** Search models name sources even when not asked to. */
const SEARCH_SOURCES: readonly CiteDirective[] = [
  { url: "https://example.com/rivers", title: "Rivers and their bridges" },
  { url: "https://example.org/almanac", title: "The almanac" },
];

function citesOf({ directives, model, isTitle }: PlanInput): readonly CiteDirective[] {
  if (isTitle || directives.cites.length > 0) return directives.cites;
  return model.id.startsWith("perplexity/") ? SEARCH_SOURCES : [];
}

function* stamps(count: number): Generator<string> {
  for (let number = 0; number < count; number += 1) yield stampChunk(number);
}

function answerText(input: PlanInput): string {
  const { request, directives, isTitle, isSummary, isRewrite, reasoningNote } = input;
  if (isTitle) return titleAnswer(directives.prompt);
  if (isRewrite) return rewriteAnswer(directives.prompt);
  if (isSummary) return summaryAnswer(directives.prompt);
  if (directives.say !== null) return directives.say;
  if (directives.bytes !== null) return markdownOfLength(directives.bytes);
  if (directives.paragraph !== null) return paragraphOfLength(directives.paragraph);
  if (directives.lines !== null) return codeOfLines(directives.lines);
  if (directives.showRequest) return `\`\`\`json\n${JSON.stringify(request, shorten, 2)}\n\`\`\``;
  const turn = sinceUser(request);
  const hasResults = turn.some((message) => message.role === "tool");
  const results = hasResults ? ((isUndirected(input) ? demoToolAnswer(turn) : null) ?? toolResultsAnswer(turn)) : null;
  if (reasoningNote !== null) return results === null ? reasoningNote : `${reasoningNote}\n\n${results}`;
  return results ?? demoAnswer(demoContext(input));
}

function reasoningText(input: PlanInput): string {
  const hasResults = sinceUser(input.request).some((message) => message.role === "tool");
  return hasResults ? "The results are here; I repeat them in order." : demoReasoning(demoContext(input));
}

function demoContext({ request, model, directives, variant }: PlanInput) {
  return {
    modelName: model.name.replace(/^[^:]*: /, ""),
    prompt: directives.prompt,
    messages: request.messages,
    lastUserIndex: lastUserMessage(request.messages).index,
    variant,
  };
}

function reasonsFirst({ request, model, directives, round, isTitle }: PlanInput): boolean {
  if (isTitle) return false;
  if (round?.think) return true;
  const { say, bytes, paragraph, lines, stamp } = directives;
  if ([say, bytes, paragraph, lines, stamp].some((setting) => setting !== null)) return false;
  const ability = model.reasoning;
  if (!ability) return false;
  if (ability.mandatory) return true;
  const asked = request.reasoning;
  if (asked?.enabled === false || asked?.effort === "none") return false;
  return ability.default_enabled || asked?.enabled === true || asked?.effort !== undefined || asked?.max_tokens !== undefined;
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.startsWith("data:") && value.length > 80
    ? `${value.slice(0, 60)}… (${value.length} characters)`
    : value;
}
