import * as z from "zod/mini";
import { openCredential, sealCredential } from "#worker/platform/credentials/sealed.ts";
import type { Env } from "#worker/platform/env.ts";

const Tokens = z.object({ access: z.string(), refresh: z.string() });
export type Tokens = z.infer<typeof Tokens>;

export async function sealTokens(env: Env, userId: string, tokens: Tokens): Promise<string> {
  return sealCredential(env, { userId, provider: "google" }, JSON.stringify(tokens));
}

/** A person's tokens; null where they cannot be opened any more. */
export async function openTokens(env: Env, { user_id: userId, tokens }: { user_id: string; tokens: string }): Promise<Tokens | null> {
  const opened = await openCredential(env, { userId, provider: "google" }, tokens);
  return opened === null ? null : Tokens.parse(JSON.parse(opened));
}
