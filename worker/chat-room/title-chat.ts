import { computeCostMicros, toMicros } from "../credits/money.ts";
import type { Env } from "../env.ts";
import { log } from "../http/log.ts";
import { readChat, setTitle } from "./chat.ts";
import { pathTo } from "./messages.ts";
import { isFounded } from "./migrations.ts";
import type { TurnRequest } from "./rpc.ts";
import { makeTitle } from "./title.ts";

/** Titles a chat after its first answered exchange; false when it has one or none could be made, which leaves the provisional one. */
export async function titleChat(env: Env, sql: SqlStorage, request: TurnRequest): Promise<boolean> {
  const { title_source: source, head_id: head } = readChat(sql);
  if (source !== "provisional" || head === null || request.titleModel === null) return false;
  const [question, answer] = pathTo(sql, head, 2);
  if (!question || !answer || answer.content === "") return false;
  try {
    const { title, usage } = await makeTitle(env, { model: request.titleModel, question: question.content, answer: answer.content });
    if (!isFounded(sql)) return false;
    if (usage) addCost(sql, usage, request);
    return title !== "" && setTitle(sql, title, "model");
  } catch (cause) {
    // The provisional title stays; the next answer tries again.
    log.warn("no title made", { cause });
    return false;
  }
}

function addCost(
  sql: SqlStorage,
  usage: { cost: number | null; prompt_tokens: number; completion_tokens: number },
  { model }: TurnRequest,
): void {
  const tokens = { prompt: usage.prompt_tokens, completion: usage.completion_tokens };
  const cost =
    usage.cost === null
      ? computeCostMicros(tokens, { prompt: model.promptPrice, completion: model.completionPrice })
      : toMicros(usage.cost);
  if (cost !== null) sql.exec("UPDATE chat SET cost_micros = cost_micros + ?", cost);
}
