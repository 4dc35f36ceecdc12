/** Images of the web, shown from our own address alone: signed, so nobody can have us fetch what we did not offer. */
import { base64url } from "jose";
import { sha256 } from "#worker/platform/random.ts";
import { isSigned, signingKey } from "#worker/people/signing-keys/keys.ts";
import { fetchRemoteImage } from "#worker/platform/clients/remote-image.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";

/** Where the images lie, by the hashes of their addresses. */
export const MEDIA_FOLDER = "media/";

/** Images that one person may have us fetch in an hour: an address that leads to none is asked again each time. */
const FETCHES_PER_HOUR = 600;

const encoder = new TextEncoder();

/** Our own address of an external image. Nothing is fetched until someone looks at it. */
export async function mediaUrl(env: Env, address: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await signingKey(configOf(env), "media"), encoder.encode(address));
  return `/api/media/${base64url.encode(new Uint8Array(signature))}/${base64url.encode(encoder.encode(address))}`;
}

type Asked = { signature: string; address: string; ownHost: string; userId: string };

/** Answers an external image from our storage, fetching it once; NOT_FOUND for an address we did not sign, and for what is no image; RATE_LIMITED. */
export async function serveMedia(env: Env, { signature, address: encoded, ownHost, userId }: Asked): Promise<Response> {
  const address = base64url.decode(encoded);
  const signed = { signature: base64url.decode(signature), text: address };
  if (!(await isSigned(configOf(env), "media", signed))) throw new AppError("NOT_FOUND");
  const url = new TextDecoder().decode(address);
  const key = `${MEDIA_FOLDER}${await sha256(url)}`;
  const cached = await env.FILES.get(key);
  if (cached) return toResponse(cached.body, cached.httpMetadata?.contentType);
  await countOrRefuse(env, `media:${userId}`, hourly(FETCHES_PER_HOUR), "RATE_LIMITED");
  const image = await fetchRemoteImage(env, url, ownHost);
  if (!image) throw new AppError("NOT_FOUND");
  await env.FILES.put(key, image.bytes, { httpMetadata: { contentType: image.type } });
  return toResponse(image.bytes, image.type);
}

function toResponse(body: BodyInit, type = "application/octet-stream"): Response {
  return new Response(body, {
    headers: {
      "content-type": type,
      // What an address answers may be another picture some day.
      "cache-control": "private, max-age=86400",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    },
  });
}
