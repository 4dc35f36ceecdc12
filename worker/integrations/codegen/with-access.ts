import { accessOf, noteTrouble } from "./connection.ts";
import type { Asked } from "#worker/platform/clients/runs/ask-outside.ts";
import type { CodegenAccess } from "#worker/platform/clients/runs/codegen.ts";
import type { ToolContext, ToolResult } from "#worker/conversation/tools/tool.ts";
import { quoteUntrusted } from "#worker/platform/texts/untrusted.ts";

/** What a model gets where its person has connected nothing. */
export const NOT_CONNECTED = "The code agent is not connected. Its person can connect it in the settings, under Tools.";

type Ask<T> = (access: CodegenAccess) => Promise<Asked<T>>;

/** Asks the code agent as the turn's person; a token that is refused is noted for their settings. */
export async function askCodegen<T>({ env, reader }: Pick<ToolContext, "env" | "reader">, ask: Ask<T>): Promise<Asked<T>> {
  const access = await accessOf(env, reader.userId);
  if (!access) return { ok: false, status: null, message: NOT_CONNECTED };
  const answer = await ask(access);
  if (!answer.ok && answer.status === 401) await noteTrouble(env, reader.userId, answer.message);
  return answer;
}

/** The same as a tool's answer: what the service holds, others wrote. */
export async function askCodegenForTool<T>(context: Pick<ToolContext, "env" | "reader">, ask: Ask<T>): Promise<ToolResult> {
  const answer = await askCodegen(context, ask);
  return answer.ok ? { ok: true, output: quoteUntrusted(JSON.stringify(answer.value)) } : { ok: false, error: answer.message };
}
