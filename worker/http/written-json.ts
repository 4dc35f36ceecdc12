import type { Context } from "hono";
import * as z from "zod/mini";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import { type AppContext, configOf } from "../env.ts";

/** An answer that an object has written as JSON already, in UTF-8; outside production it is checked by its contract like any other. */
export function writtenJson(c: Context<AppContext>, { response }: Endpoint, bytes: Uint8Array): Response {
  if (response && !configOf(c.env).isProduction) z.parse(response, JSON.parse(new TextDecoder().decode(bytes)));
  return new Response(bytes, { headers: { "content-type": "application/json" } });
}
