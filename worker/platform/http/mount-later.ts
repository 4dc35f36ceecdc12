import { type Context, Hono } from "hono";
import type { RouterRoute } from "hono/types";
import type { AppContext } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

/** Adds a feature's routes to an app. */
type Mount = (app: Hono<AppContext>) => void;
type Variables = AppContext["Variables"];

/** What the middleware in front has set; what a route sets goes back to it. */
const CARRIED: Record<keyof Variables, true> = {
  db: true,
  caller: true,
  confirmed: true,
  modelSettings: true,
  toolPreferences: true,
  person: true,
  knownSession: true,
  keepsNothing: true,
  cookies: true,
  ip: true,
};

/** Says that a feature has no route for a request. */
const NOWHERE = new Error("No route here");

const features: (() => Hono<AppContext> | Promise<Hono<AppContext>>)[] = [];
const outside = new WeakMap<Request, Context<AppContext>>();

/**
 * Mounts a feature whose code is loaded by the first request to one of these paths (Hono's patterns), so the Worker starts without it.
 * Its routes stand behind the same middleware as all others; a request that none of them takes goes on to the next route.
 */
export function mountLater(app: Hono<AppContext>, paths: string[], load: () => Promise<Mount>): void {
  const feature = loadOnce(async () => build(await load()));
  features.push(feature);
  app.on("ALL", paths, async (c, next) => {
    const loaded = await feature();
    outside.set(c.req.raw, c);
    try {
      return await loaded.fetch(c.req.raw, c.env, c.executionCtx);
    } catch (error) {
      if (error !== NOWHERE) throw error;
    }
    return next();
  });
}

/** The routes of all features that are mounted so, loaded for whoever wants to see them. */
export async function routesLater(): Promise<RouterRoute[]> {
  const loaded = await Promise.all(features.map(async (feature) => feature()));
  return loaded.flatMap(({ routes }) => routes);
}

function build(mount: Mount): Hono<AppContext> {
  const feature = new Hono<AppContext>();
  const rethrow = (error: Error) => {
    throw error;
  };
  // Errors are answered where all others are.
  feature.onError(rethrow);
  feature.notFound(() => rethrow(NOWHERE));
  feature.use(async (c, next) => {
    const outer = outside.get(c.req.raw);
    if (outer) carry(outer, c);
    try {
      await next();
    } finally {
      if (outer) carry(c, outer);
    }
  });
  mount(feature);
  return feature;
}

function carry(from: Context<AppContext>, to: Context<AppContext>): void {
  eachName(CARRIED, (name) => to.set(name, from.get(name)));
}

function eachName<T extends object>(of: T, visit: (name: Extract<keyof T, string>) => void): void {
  for (const name in of) visit(name);
}
