import { GoogleError } from "#worker/platform/clients/google.ts";
import type { GoogleAnswer } from "#worker/platform/clients/google/ask.ts";
import type { Env } from "#worker/platform/env.ts";
import { type GoogleAccess, googleAccess, noteGoogleRefusal } from "./access.ts";
import type { GoogleNeed } from "./scopes.ts";

const SETTINGS = "Its person can connect it in the settings, under Tools.";

/** What a model gets where nothing opens what it asks for. */
export const MISSING: Record<GoogleNeed, string> = {
  gmail: `Gmail is not connected, or reading mail was not granted. ${SETTINGS}`,
  compose: `Gmail is not connected, or writing mail was not granted. ${SETTINGS}`,
  drive: `Google Drive is not connected, or reading files was not granted. ${SETTINGS}`,
};

type Asking<T> = (access: GoogleAccess) => Promise<GoogleAnswer<T>>;

/** Asks Google as a person; a token that is refused is renewed once, and where that does not help the connection is over. */
export async function withGoogle<T>(
  { env, userId, need }: { env: Env; userId: string; need: GoogleNeed },
  ask: Asking<T>,
): Promise<GoogleAnswer<T>> {
  const missing = { ok: false, kind: "scope", message: MISSING[need] } as const;
  try {
    const access = await googleAccess(env, userId, need);
    if (!access) return missing;
    const answer = await ask(access);
    if (answer.ok || answer.kind !== "refused") return answer;
    const renewed = await googleAccess(env, userId, need, access.token);
    if (!renewed) return missing;
    const again = await ask(renewed);
    if (!again.ok && again.kind === "refused") await noteGoogleRefusal(env, userId, renewed.token);
    return again;
  } catch (cause) {
    if (!(cause instanceof GoogleError)) throw cause;
    return { ok: false, kind: "busy", message: "Google cannot be reached right now." };
  }
}
