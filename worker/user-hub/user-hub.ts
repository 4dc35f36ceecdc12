import { DurableObject } from "cloudflare:workers";
import type { Env } from "../env.ts";

/** One user's own view. */
export class UserHub extends DurableObject<Env> {}
