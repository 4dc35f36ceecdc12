import { toCaller } from "#worker/people/sessions/sessions.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Caller, ModelSettings } from "#worker/platform/env.ts";
import { getUserRow } from "#worker/people/users/users.ts";
import type { ToolContext } from "./tool.ts";

/** Whose turn it is, with their plan and what they set about models as these stand now. */
export async function turnPerson({
  env,
  reader,
}: Pick<ToolContext, "env" | "reader">): Promise<{ caller: Caller; settings: ModelSettings }> {
  const row = await getUserRow(openDatabase(env.DB), reader.userId);
  return { caller: toCaller(reader.sessionId, row), settings: { allowlist: row.model_allowlist, preferred: row.preferred_model } };
}
