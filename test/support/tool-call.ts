import type * as z from "zod/mini";
import type { Todo } from "#shared/entities/todo.ts";
import type { ToolCall, ToolPart } from "#shared/entities/tool-call.ts";
import { streamCompletion } from "#worker/platform/clients/aggregator.ts";
import { openSessions } from "#worker/integrations/mcp/turn-sessions.ts";
import type { ChatMails, TodoList, Tool, ToolContext, ToolResult } from "#worker/conversation/tools/tool.ts";
import type { OutsideRuns } from "#worker/conversation/tools/outside/outside-runs.ts";
import { type Changes, deploymentWith } from "./deployment.ts";
import { CHEAP_MODEL } from "./replies.ts";

/** What one call of a tool did, as its reply would keep it. */
export type ToolRun = {
  result: ToolResult;
  parts: ToolPart[];
  cited: { url: string; title: string | null }[];
  /** US dollars. */
  charged: number;
  /** The models that were asked. */
  asked: string[];
};

type Options = {
  userId?: string;
  anonymous?: boolean;
  env?: Changes;
  signal?: AbortSignal;
  modelId?: string;
  todos?: TodoList;
  mails?: ChatMails;
  runs?: OutsideRuns;
  earlier?: ToolCall[];
  replyId?: string;
  callId?: string;
};

/** Calls a tool by itself, with its input checked as the engine checks it, for someone whose chat is on a cheap model. */
export async function runTool<Input extends z.ZodMiniType>(
  tool: Tool<Input>,
  input: z.input<Input>,
  {
    userId = crypto.randomUUID(),
    anonymous = false,
    env: changes = {},
    signal = new AbortController().signal,
    modelId = CHEAP_MODEL,
    todos = listOfTodos(),
    mails = NO_MAILS,
    runs = { start: (_place, _run, begin) => begin(), plan: async () => true },
    earlier = [],
    replyId = crypto.randomUUID(),
    callId = crypto.randomUUID(),
  }: Options = {},
): Promise<ToolRun> {
  const parts = new Map<string, ToolPart>();
  const run = { cited: [] as ToolRun["cited"], charged: 0, asked: [] as string[] };
  const deployment = deploymentWith(changes);
  const context: ToolContext = {
    env: deployment,
    chatId: crypto.randomUUID(),
    knowledgeIds: [],
    replyId,
    callId,
    reader: { userId, displayName: "Reader", sessionId: "session", anonymous },
    model: {
      requestedId: modelId,
      aggregatorId: modelId === "auto" ? "openrouter/auto" : modelId,
      routerModels: null,
      contextLength: null,
      promptPrice: 0.000001,
      completionPrice: 0.000001,
      assumedPrice: null,
      fees: null,
      maxOutput: null,
      tools: true,
      vision: false,
      takesFiles: false,
    },
    writerId: modelId,
    signal,
    todos,
    hasUntrustedText: false,
    mails,
    runs,
    files: { find: () => null, ownerId: () => userId, add: async () => {} },
    connections: async () => openSessions(deployment, userId),
    isOffRecord: () => false,
    cite(source) {
      const at = run.cited.findIndex(({ url }) => url === source.url);
      if (at !== -1) return at + 1;
      return run.cited.push({ url: source.url, title: source.title });
    },
    part({ text = "", ...change }) {
      const before = parts.get(change.id) ?? { title: "", model_id: null, text: "", status: "running" as const, cost: null };
      parts.set(change.id, { ...before, ...change, text: before.text + text });
    },
    complete(request, model, reader) {
      run.asked.push(model.requestedId);
      return streamCompletion(deployment, { ...request, model: model.aggregatorId }, reader);
    },
    charge(dollars) {
      run.charged += dollars;
    },
    once: (_step, _result, work) => work(),
    outputsOf: () => [],
    earlier: () => earlier,
  };
  const result = await tool.run(tool.input.parse(input), context);
  return { result, parts: [...parts.values()], ...run };
}

/** A chat without mails, which sends none. */
const NO_MAILS: ChatMails = {
  address: async () => null,
  list: () => ({ mails: [], next: null }),
  find: () => null,
  findFile: () => null,
  hasWrittenTo: () => false,
  isSuppressed: () => false,
  keepDraft: () => {},
  send: async () => ({ ok: false, code: "NOT_FOUND" }),
  remind: async () => ({ ok: false, code: "NOT_FOUND" }),
};

/** A todo list of its own, empty at first. */
export function listOfTodos(): TodoList {
  let list: Todo[] = [];
  return {
    list: () => list,
    add(todo) {
      const added = {
        ...todo,
        id: crypto.randomUUID(),
        chat_id: crypto.randomUUID(),
        order_index: todo.order_index ?? list.length,
        created_at: new Date().toISOString(),
      };
      list = [...list, added];
      return added;
    },
    update(id, change) {
      list = list.map((todo) => (todo.id === id ? { ...todo, ...change } : todo));
      return list.find((todo) => todo.id === id) ?? null;
    },
    remove(id) {
      const removed = list.find((todo) => todo.id === id) ?? null;
      list = list.filter((todo) => todo !== removed);
      return removed;
    },
    holdsUntrusted: () => false,
  };
}

/** What a model gets from a call that succeeded. */
export function outputOfCall({ result }: ToolRun): string {
  if (!result.ok) throw new Error(`The tool failed: ${result.error}`);
  return result.output;
}
