import { fetchPicture } from "../clients/google-picture.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { AppError } from "../app-error.ts";
import { updateUserRow } from "./queries.ts";

/** Copies a picture to our own storage, as pages load no foreign image, and makes it the user's. Its id is unguessable and never reused. */
export async function keepPicture(env: Env, db: Database, { userId, address }: { userId: string; address: string }): Promise<void> {
  const picture = await fetchPicture(env, address);
  if (!picture) return;
  const id = crypto.randomUUID();
  await env.FILES.put(keyOf(id), picture.bytes, { httpMetadata: { contentType: picture.type } });
  await updateUserRow(db, userId, { profile_image: `/api/pictures/${id}` });
}

/** Answers a kept picture. */
export async function servePicture(env: Env, id: string): Promise<Response> {
  const picture = await env.FILES.get(keyOf(id));
  if (!picture) throw new AppError("NOT_FOUND");
  return new Response(picture.body, {
    headers: {
      "content-type": picture.httpMetadata?.contentType ?? "application/octet-stream",
      "cache-control": "private, max-age=31536000, immutable",
    },
  });
}

function keyOf(id: string): string {
  return `pictures/${id}`;
}
