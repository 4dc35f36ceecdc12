import { DriveError } from "#worker/platform/clients/google/drive.ts";
import { GoogleError } from "#worker/platform/clients/google.ts";
import type { Env } from "#worker/platform/env.ts";
import { type GoogleAccess, googleAccess, noteGoogleRefusal } from "#worker/integrations/google/access.ts";

/** What is said where Google is not connected, or not for Drive (any more). */
export const NOT_CONNECTED = "Google is not connected any more. Connect it again.";

/** Nothing of a person's Drive can be read until they connect it. */
export class DriveNotConnected extends Error {
  constructor(cause?: unknown) {
    super(NOT_CONNECTED, { cause });
    this.name = "DriveNotConnected";
  }
}

/** Asks a person's Drive something by a token. Throws `DriveNotConnected`, `DriveError`. */
export type AskDrive = <T>(ask: (token: string) => Promise<T>) => Promise<T>;

/** A person's Drive for the time of one job or call: its token is looked up once, and renewed once where it is refused. */
export function openDrive(env: Env, userId: string): AskDrive {
  let currentAccess: Promise<GoogleAccess> | null = null;
  return async (ask) => {
    const first = (currentAccess ??= accessOf(env, userId, null));
    const { token } = await first;
    try {
      return await ask(token);
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
    }
    // Whoever asked beside may have had it renewed already.
    if (currentAccess === first) currentAccess = accessOf(env, userId, token);
    const renewed = await currentAccess;
    try {
      return await ask(renewed.token);
    } catch (cause) {
      if (!isRefused(cause)) throw cause;
      await noteGoogleRefusal(env, userId, renewed.token);
      throw new DriveNotConnected(cause);
    }
  };
}

function isRefused(cause: unknown): boolean {
  return cause instanceof DriveError && cause.kind === "refused";
}

async function accessOf(env: Env, userId: string, refused: string | null): Promise<GoogleAccess> {
  let access: GoogleAccess | undefined;
  try {
    access = await googleAccess(env, userId, "drive", refused);
  } catch (cause) {
    if (!(cause instanceof GoogleError)) throw cause;
    throw new DriveError("busy", "Google cannot be reached right now.", { cause });
  }
  if (!access) throw new DriveNotConnected();
  return access;
}
