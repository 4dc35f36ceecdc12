import type { getSession } from "#shared/contracts/account/auth.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { Features, User } from "#shared/entities/user.ts";
import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";

export type SessionAnswer = ResponseOf<typeof getSession>;

/** The last answer about who is here, so name and list paint before the network. */
export const rememberedSession = stored<SessionAnswer | null>(
  "session",
  z.nullable(z.object({ user: z.nullable(User), features: Features, keeps_nothing: z.boolean() })),
  null,
);
