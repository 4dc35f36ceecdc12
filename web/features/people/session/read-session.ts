import { getSession } from "#shared/contracts/account/auth.ts";
import { call } from "#web/lib/api.ts";
import { applyStoragePreference } from "./keep-as-asked.ts";
import { rememberedSession, type SessionAnswer } from "./remembered-session.ts";

/** Asks who is here, and remembers it for the next page. Throws `ApiError`. */
export async function readSession({ signal }: { signal: AbortSignal }): Promise<SessionAnswer> {
  const answer: SessionAnswer = await call(getSession, {}, { signal });
  // Once nobody is here any more, what they typed and did not send is still theirs alone.
  if (answer.user) await applyStoragePreference(answer.keeps_nothing);
  rememberedSession.write(answer);
  return answer;
}
