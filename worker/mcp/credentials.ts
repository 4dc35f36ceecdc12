import * as z from "zod/mini";
import { openCredential, sealCredential } from "../credentials/sealed.ts";
import type { Env } from "../env.ts";

/** What proves to a server who asks; of `oauth` all that its client has to remember. */
export const Credentials = z.object({
  token: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  oauth: z.optional(z.record(z.string(), z.unknown())),
});
export type Credentials = z.infer<typeof Credentials>;

type Owned = { id: string; user_id: string };

/** Credentials as they are stored; null without any. */
export async function sealCredentials(env: Env, owned: Owned, credentials: Credentials): Promise<string | null> {
  if (Object.keys(credentials).length === 0) return null;
  return sealCredential(env, ownerOf(owned), JSON.stringify(credentials));
}

/** A connection's credentials; none where they cannot be opened any more, which its server then says. */
export async function openCredentials(env: Env, owned: Owned, sealed: string | null): Promise<Credentials> {
  const opened = sealed === null ? null : await openCredential(env, ownerOf(owned), sealed);
  return opened === null ? {} : Credentials.parse(JSON.parse(opened));
}

function ownerOf({ id, user_id: userId }: Owned) {
  return { userId, provider: `mcp:${id}` };
}
