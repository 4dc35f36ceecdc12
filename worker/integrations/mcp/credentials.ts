import * as z from "zod/mini";
import { openCredential, sealCredential } from "#worker/platform/credentials/sealed.ts";
import type { Env } from "#worker/platform/env.ts";

/** What proves to a server who asks; of `oauth` all that its client has to remember. */
export const Credentials = z.object({
  token: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.string())),
  oauth: z.optional(z.record(z.string(), z.unknown())),
});
export type Credentials = z.infer<typeof Credentials>;

/** A client that a person registered themselves where a server registers nobody; without a secret it is a public one. */
export const RegisteredClient = z.object({ client_id: z.string(), client_secret: z.optional(z.string()) });
export type RegisteredClient = z.infer<typeof RegisteredClient>;

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

/** A client of one's own as it is stored; null without one. */
export async function sealClient(env: Env, owned: Owned, client: RegisteredClient | null): Promise<string | null> {
  return client && sealCredential(env, clientOf(owned), JSON.stringify(client));
}

/** A connection's client of its person's own; null where there is none, or it cannot be opened any more. */
export async function unsealClient(env: Env, owned: Owned, sealed: string | null): Promise<RegisteredClient | null> {
  const opened = sealed === null ? null : await openCredential(env, clientOf(owned), sealed);
  return opened === null ? null : RegisteredClient.parse(JSON.parse(opened));
}

function clientOf({ id, user_id: userId }: Owned) {
  return { userId, provider: `mcp-client:${id}` };
}

function ownerOf({ id, user_id: userId }: Owned) {
  return { userId, provider: `mcp:${id}` };
}
