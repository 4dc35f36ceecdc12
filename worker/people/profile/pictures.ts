import { base64url } from "jose";
import { PROFILE_PICTURE_BYTES, PROFILE_PICTURE_PX, PROFILE_PICTURES_PER_HOUR } from "#shared/limits.ts";
import { fetchPicture, type Picture } from "#worker/platform/clients/google-picture.ts";
import { imageType } from "#worker/platform/clients/image-type.ts";
import { readUpTo } from "#worker/platform/clients/read-up-to.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { pictureSize } from "./picture-size.ts";
import { replacePicture } from "./queries.ts";
import { getUserRow } from "#worker/people/users/users.ts";

const PATH = "/api/pictures/";
/** What browsers make of a cropped picture; nothing that moves, and no drawing that could run. */
const TYPES = new Set(["image/png", "image/jpeg", "image/webp"]);
/** A replacement is tried so often where another comes between. */
const TRIES = 3;

/** Copies a picture to our own storage, as pages load no external image, and makes it the user's where they have none. */
export async function storeExternalPicture(
  env: Env,
  db: Database,
  { userId, address }: { userId: string; address: string },
): Promise<void> {
  const picture = await fetchPicture(env, address);
  if (!picture) return;
  const path = await store(env, userId, picture);
  if (!(await replacePicture(db, userId, { from: null, to: path }))) await dropPicture(env, path);
}

/** Makes an uploaded picture the user's. Throws PAYLOAD_TOO_LARGE, FILE_TYPE, INVALID_INPUT and RATE_LIMITED; none leaves anything behind. */
export async function changePicture(env: Env, db: Database, userId: string, request: Request): Promise<void> {
  const picture = await receive(request);
  await countOrRefuse(env, `pictures:${userId}`, hourly(PROFILE_PICTURES_PER_HOUR), "RATE_LIMITED");
  await setPicture(env, db, userId, await store(env, userId, picture));
}

/** Takes the user's picture away; the initials stand there again. False where there was none. */
export async function removePicture(env: Env, db: Database, userId: string): Promise<boolean> {
  if ((await getUserRow(db, userId)).profile_image === null) return false;
  await setPicture(env, db, userId, null);
  return true;
}

/** Answers a kept picture; nothing in it can run. */
export async function servePicture(env: Env, id: string): Promise<Response> {
  const picture = await env.FILES.get(keyOf(id));
  if (!picture) throw new AppError("NOT_FOUND");
  return new Response(picture.body, {
    headers: {
      "content-type": picture.httpMetadata?.contentType ?? "application/octet-stream",
      "content-length": String(picture.size),
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      // What is stored under one id never changes.
      "cache-control": "private, max-age=31536000, immutable",
    },
  });
}

async function receive({ body, headers }: Request): Promise<Picture> {
  const tooLarge = () => new AppError("PAYLOAD_TOO_LARGE", { message: "A profile picture may have up to 1 MB." });
  if (Number(headers.get("content-length") ?? 0) > PROFILE_PICTURE_BYTES) throw tooLarge();
  const bytes = body === null ? new Uint8Array() : await readUpTo(body, PROFILE_PICTURE_BYTES);
  if (bytes === null) throw tooLarge();
  const type = imageType(bytes);
  const size = type !== null && TYPES.has(type) ? pictureSize(type, bytes) : null;
  if (type === null || size === null) throw new AppError("FILE_TYPE", { message: "Choose a PNG, JPEG or WebP picture." });
  const sides = [size.width, size.height];
  // A small file may unfold to more pixels than its viewers' browsers can hold.
  if (sides.some((side) => side < 1 || side > PROFILE_PICTURE_PX)) {
    throw new AppError("INVALID_INPUT", { message: "A profile picture may have up to 2,048 pixels a side." });
  }
  return { bytes, type };
}

async function setPicture(env: Env, db: Database, userId: string, to: string | null): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const { profile_image: from } = await getUserRow(db, userId);
    if (from === to) return;
    if (await replacePicture(db, userId, { from, to })) return dropPicture(env, from);
  }
  await dropPicture(env, to);
  throw new AppError("CONFLICT", { message: "Your picture is being changed elsewhere. Try again." });
}

/** Its id is its person's and its content's, so the same upload again changes nothing. */
async function store(env: Env, userId: string, { bytes, type }: Picture): Promise<string> {
  const digest = base64url.encode(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  const id = await uuidOfName(JSON.stringify(["picture", userId, digest]));
  await env.FILES.put(keyOf(id), bytes, { httpMetadata: { contentType: type } });
  return `${PATH}${id}`;
}

/** Deletes a kept picture by its path; another address is none of ours. */
export async function dropPicture(env: Env, path: string | null): Promise<void> {
  if (path?.startsWith(PATH)) await env.FILES.delete(keyOf(path.slice(PATH.length)));
}

function keyOf(id: string): string {
  return `pictures/${id}`;
}
