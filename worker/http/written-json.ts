import type { Context } from "hono";
import * as z from "zod/mini";
import type { Endpoint } from "#shared/contracts/endpoint.ts";
import type { AppContext } from "../env.ts";

/** An answer that an object has written as JSON already; outside production it is checked by its contract like any other. */
export function writtenJson(c: Context<AppContext>, { response }: Endpoint, text: string): Response {
  if (response && c.env.ENVIRONMENT !== "production") z.parse(response, JSON.parse(text));
  return c.body(text, 200, { "content-type": "application/json" });
}
