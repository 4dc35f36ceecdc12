/**
 * A Google account whose address Google does not speak for (a former or recycled mailbox keeps its sign-in there): its browser keeps who it
 * is until a mailed code has proven the address, once. It counts only where a page said so and a person went on there: whoever signs in to
 * their account in a browser that somebody else used before them must not let them in.
 */
import type { Context } from "hono";
import * as z from "zod/mini";
import { CODE_LIFETIME_MS, DISPLAY_NAME_LENGTH } from "#shared/limits.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { clearCookie, readCookie, writeCookie } from "#worker/platform/http/cookies.ts";
import { readState, signState } from "./signed-state.ts";

const Google = z.object({ subject: z.string(), email: z.string(), name: z.nullable(z.string()), picture: z.nullable(z.string()) });
const Unproven = z.object({ email: z.string(), google: Google });
type Google = z.infer<typeof Google>;

/** Google's are of about 100 characters. */
const PICTURE_LENGTH = 1_000;

/** As long as one has for a code, and as much again to ask for it. */
const UNPROVEN_COOKIE_S = (2 * CODE_LIFETIME_MS) / 1000;

/** Keeps in this browser who Google says is here, until `toProve` is proven. */
export async function storeUnprovenGoogle(
  c: Context<AppContext>,
  toProve: string,
  { email, subject, name, picture }: Google,
): Promise<void> {
  // No browser keeps a cookie of more than 4 KB.
  const isShort = picture !== null && picture.length <= PICTURE_LENGTH;
  const google = { subject, email, name: name?.slice(0, DISPLAY_NAME_LENGTH) ?? null, picture: isShort ? picture : null };
  const state: z.infer<typeof Unproven> = { email: toProve, google };
  writeCookie(c, "unproven", {
    value: await signState(c.env, "google-unproven", { state, seconds: UNPROVEN_COOKIE_S }),
    maxAge: UNPROVEN_COOKIE_S,
  });
}

/** Who Google said is in this browser, where the address that was proven is the one that this waits for. */
export async function readUnprovenGoogle(c: Context<AppContext>, email: string): Promise<Google | undefined> {
  const signed = readCookie(c, "unproven");
  const unprovenState = signed === undefined ? null : await readState(c.env, "google-unproven", Unproven, signed);
  return unprovenState?.email === email ? unprovenState.google : undefined;
}

/** It is linked, or of no use any more. */
export function clearUnprovenGoogle(c: Context<AppContext>): void {
  if (readCookie(c, "unproven") !== undefined) clearCookie(c, "unproven");
}
