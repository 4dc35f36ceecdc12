import type { ModelToolCall } from "#worker/platform/clients/tool-call-fragments.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import type { ChatMails, Reading, Tool } from "#worker/conversation/tools/tool.ts";
import { isPrivateTool } from "#worker/conversation/tools/tool-sources.ts";
import type { Toolbox } from "#worker/conversation/turn/toolbox.ts";
import type { StoredTurn } from "./stored-turn.ts";
import { parseArguments } from "./tool-call.ts";
import type { StoredCall } from "./round.ts";

/** Longer arguments than this many characters are no call that any tool could take. */
export const ARGUMENTS_LENGTH = 200_000;

/** A call ready to run, or why it cannot: in words for the model. */
export type Checked = { ok: true; tool: Tool; input: unknown } | { ok: false; error: string };

/** Checks a tool's arguments by its schema. */
export function checkInput(tool: Tool, input: unknown): Checked {
  const parsed = tool.input.safeParse(input);
  if (parsed.success) return { ok: true, tool, input: parsed.data };
  const problems = parsed.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
  return { ok: false, error: `The arguments are not valid. ${problems.join("; ")}` };
}

/** Checks a call against the tools of its turn and its tool's own schema. */
export function checkCall(toolbox: Toolbox, call: Pick<StoredCall, "tool" | "arguments" | "editedInput">): Checked {
  const tool = toolbox.find(call.tool);
  const names = toolbox.tools.map(({ wireName }) => wireName).join(", ");
  if (!tool) return { ok: false, error: `There is no tool named ${call.tool}. There are: ${names || "none"}.` };
  const input = parseArguments(call.editedInput ?? call.arguments);
  return input ? checkInput(tool, input) : { ok: false, error: "The arguments are not a JSON object." };
}

/** Why a call whose arguments are valid cannot be made as things stand; null where it can, and for one that its own check refuses anyway. */
export async function problemOf(
  toolbox: Toolbox,
  call: Pick<StoredCall, "tool" | "arguments" | "editedInput">,
  place: { env: Env; userId: string },
): Promise<string | null> {
  const checked = checkCall(toolbox, call);
  if (!checked.ok) return null;
  try {
    return (await checked.tool.problem?.(checked.input, place)) ?? null;
  } catch (cause) {
    // What goes wrong in a call is reported when it runs.
    log.warn("whether a call can be made was not found out", { tool: call.tool, cause });
    return null;
  }
}

type Place = {
  turn: StoredTurn;
  toolbox: Toolbox;
  round: number;
  at: number;
  usedIds: ReadonlySet<string>;
  /** What the model has read: where others wrote of it, they may have asked for the call, and nothing is allowed beforehand. */
  reading: Reading;
  /** True where it changes what other people read. */
  isVisibleToOthers: boolean;
  /** Why it cannot be made as things stand. */
  problem: string | null;
  /** Milliseconds: the time, and how long a call waits for a word. */
  now: number;
  waitsMs: number;
  mails: () => ChatMails;
};

/** A model's call as it is stored before it runs: refused, waiting for a word, or to be run. */
export function prepareCall(
  made: ModelToolCall,
  { turn, toolbox, round, at, usedIds, reading, isVisibleToOthers, problem, now, waitsMs, mails }: Place,
): StoredCall {
  const { reader, tools: choice } = turn.request;
  const id = crypto.randomUUID();
  const tool = toolbox.tools.find(({ wireName }) => wireName === made.name)?.id ?? made.name;
  const call: StoredCall = {
    id,
    round,
    givenId: made.id === "" || usedIds.has(made.id) ? id : made.id,
    generation: turn.generation,
    tool,
    arguments: made.arguments.slice(0, ARGUMENTS_LENGTH),
    editedInput: null,
    status: "running",
    delivery: "pending",
    approval: null,
    at,
    output: null,
    sources: [],
    images: [],
    parts: [],
    costMicros: null,
    durationMs: null,
  };
  const user = { id: reader.userId, display_name: reader.displayName };
  // Whose own it reads stands with the call, as it shows nobody else what it found.
  const own: Pick<StoredCall, "approval"> = { approval: isPrivateTool(tool) ? { user, decision: null } : null };
  const checked = checkCall(toolbox, call);
  if (!checked.ok) return { ...call, ...own, status: "failed", delivery: "done", output: checked.error };
  if (problem !== null) return { ...call, ...own, status: "failed", delivery: "done", output: problem };
  const times = { since: new Date(now).toISOString(), expires_at: new Date(now + waitsMs).toISOString() };
  const { hasUntrustedText } = reading;
  if (checked.tool.asksFirst?.(checked.input, reading) || (hasUntrustedText && isVisibleToOthers))
    return { ...call, status: "waiting", approval: { user, decision: null, ...times } };
  if (!checked.tool.actsOutside) return { ...call, ...own };
  const isAllowed = choice.settings[tool]?.always_allowed === true;
  const isCovered = checked.tool.isCovered?.(checked.input, mails()) ?? true;
  if (isAllowed && isCovered && !hasUntrustedText) return { ...call, approval: { user, decision: "always" } };
  const reasons = { ...(isAllowed && { isAskedAgain: true }), ...(!isCovered && { isNewRecipient: true }) };
  return { ...call, status: "waiting", approval: { user, decision: null, ...reasons, ...times } };
}
