import type { Hono } from "hono";
import { getMedia } from "#shared/contracts/media.ts";
import type { AppContext } from "../env.ts";
import { serve } from "../http/serve.ts";
import { serveMedia } from "./media.ts";

/** Mounts the images of the web that tools found. */
export function mediaRoutes(app: Hono<AppContext>): void {
  serve(app, getMedia, ({ c, params }) => serveMedia(c.env, { ...params, ownHost: new URL(c.req.url).hostname }));
}
