import type { Hono } from "hono";
import { getMedia, offerImage as offerImageCall } from "#shared/contracts/chat/media.ts";
import type { AppContext, Caller, Env } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { mediaUrl, serveMedia } from "./media.ts";
import { imageAddresses } from "#shared/markdown/image-addresses.ts";
import { roomOf } from "#worker/library/attachments/room.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { publicUrl } from "#worker/platform/clients/public-address.ts";
import { isSimulatedImage } from "#worker/platform/clients/remote-image.ts";
import { AppError, unwrap } from "#worker/platform/errors/app-error.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";

/** Images one person may ask for in an hour: more than anyone looks at. */
const PER_HOUR = 300;

type Input = { caller: Caller; chatId: string; messageId: string; address: string };

/**
 * Our own address of an external image that stands in a message: only there, so nobody has us fetch what they like.
 * Throws NOT_FOUND, INVALID_INPUT for an address that is not https at a public name, and RATE_LIMITED.
 */
async function proxyImage(env: Env, { caller, chatId, messageId, address }: Input): Promise<string> {
  // First: who may ask for it and whether it stands there is work already.
  await countOrRefuse(env, `image:${caller.userId}`, hourly(PER_HOUR), "RATE_LIMITED");
  const text = unwrap(await roomOf(env, chatId).readText(readerOf(caller), messageId));
  if (!imageAddresses(text).has(address)) throw new AppError("NOT_FOUND", { message: "This image is not in the message any more." });
  if (publicUrl(address)?.protocol !== "https:" && !isSimulatedImage(env, address)) {
    throw new AppError("INVALID_INPUT", { message: "Images are loaded from public https addresses only." });
  }
  return mediaUrl(env, address);
}

/** Mounts the images of the web, which tools found or readers want to see. */
export function mediaRoutes(app: Hono<AppContext>): void {
  serve(app, offerImageCall, async ({ c, caller, params, query }) => ({
    url: await proxyImage(c.env, { caller, chatId: params.id, messageId: params.messageId, address: query.url }),
  }));

  serve(app, getMedia, ({ c, caller, params }) =>
    serveMedia(c.env, { ...params, ownHost: new URL(c.req.url).hostname, userId: caller.userId }),
  );
}
