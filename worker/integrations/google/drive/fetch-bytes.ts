import { DriveError, type DriveFileName, openFile } from "#worker/platform/clients/google/drive.ts";
import { readAllBytes } from "#worker/platform/clients/read-all-bytes.ts";
import type { Env } from "#worker/platform/env.ts";
import { DRIVE_BYTES, type ReadingPlan } from "./reading-plan.ts";
import type { AskDrive } from "./open-drive.ts";

/** Drive stopped in the middle of a file, and is asked for it again. */
export function downloadBrokenOff(cause: unknown): DriveError {
  return new DriveError("trouble", "Google Drive broke off in the middle of a file.", { cause });
}

type Wanted = { file: DriveFileName; plan: ReadingPlan };

/** A file's bytes, or null where they are too many. Where Drive can't make what is read best of a document, its plain text will do. Throws `DriveError`. */
export async function fetchBytes(env: Env, drive: AskDrive, { file, plan }: Wanted): Promise<Uint8Array<ArrayBuffer> | null> {
  const { id, resourceKey } = file;
  const take = (type: string | null) =>
    drive(async (token) => {
      const { body, length } = await openFile(env, token, { file: { id, resourceKey }, type });
      if (length > DRIVE_BYTES) {
        await body.cancel();
        return null;
      }
      try {
        return await readAllBytes(body, { limit: DRIVE_BYTES, expected: length });
      } catch (cause) {
        throw downloadBrokenOff(cause);
      }
    });
  try {
    return await take(plan.type);
  } catch (cause) {
    const isRefused = cause instanceof DriveError && (cause.kind === "invalid" || cause.kind === "unreadable");
    if (!isRefused || plan.format !== "markdown" || plan.type === null) throw cause;
    return take("text/plain");
  }
}
