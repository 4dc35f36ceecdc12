import type { getSession } from "#shared/contracts/account/auth.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { Features, User } from "#shared/entities/user.ts";
import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";

type Answer = ResponseOf<typeof getSession>;
/** Who is here: what an earlier version remembered, and a server that is still of one, says nothing of what is kept. */
export type SessionAnswer = Omit<Answer, "keeps_nothing"> & { keeps_nothing?: Answer["keeps_nothing"] | undefined };

/** The last answer about who is here, so name and list paint before the network. */
export const rememberedSession = stored<SessionAnswer | null>(
  "session",
  z.nullable(z.object({ user: z.nullable(User), features: Features, keeps_nothing: z.optional(z.boolean()) })),
  null,
);
