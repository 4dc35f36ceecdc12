import type { Hono } from "hono";
import { getMedia, offerImage as offerImageCall } from "#shared/contracts/chat/media.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { serveMedia } from "./media.ts";
import { offerImage } from "./offer-image.ts";

/** Mounts the images of the web, which tools found or readers want to see. */
export function mediaRoutes(app: Hono<AppContext>): void {
  serve(app, offerImageCall, async ({ c, caller, params, query }) => ({
    url: await offerImage(c.env, { caller, chatId: params.id, messageId: params.messageId, address: query.url }),
  }));

  serve(app, getMedia, ({ c, caller, params }) =>
    serveMedia(c.env, { ...params, ownHost: new URL(c.req.url).hostname, userId: caller.userId }),
  );
}
