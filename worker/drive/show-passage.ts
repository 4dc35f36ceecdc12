import type { readDrivePassage } from "#shared/contracts/outbound/drive.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { AppError } from "../app-error.ts";
import { driveIndexOf } from "../drive-index/stub.ts";
import type { Env } from "../env.ts";
import { indexOf } from "../passage-index/stub.ts";
import { placeOf } from "../passages/passage.ts";
import { shardOf } from "./shards.ts";

type Wanted = { userId: string; fileId: string; from: number; to: number };

/** A passage of a file in a person's own Drive. Throws NOT_FOUND where it is not (any more) in their index. */
export async function showDrivePassage(env: Env, { userId, fileId, from, to }: Wanted): Promise<ResponseOf<typeof readDrivePassage>> {
  const file = await driveIndexOf(env, userId).find(fileId);
  const shown = file && (await indexOf(env, shardOf(userId, fileId)).show({ documentId: fileId, start: from, end: to }));
  const [first, last] = [shown?.passages[0], shown?.passages.at(-1)];
  if (!file || !shown || !first || !last)
    throw new AppError("NOT_FOUND", { message: "This passage is not there any more, or not yours to see." });
  const { id, name, pages } = shown.document;
  return {
    document: { id, name, pages },
    place: placeOf({ ...first, last_row: last.last_row }),
    page: first.page,
    before: shown.before,
    text: shown.passages.map(({ text }) => text).join(""),
    after: shown.after,
    link: file.link,
  };
}
