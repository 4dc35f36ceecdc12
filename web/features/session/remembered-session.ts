import * as z from "zod/mini";
import { Features, User } from "#shared/entities/user.ts";
import { stored } from "#web/lib/storage.ts";

/** The last answer about who is here, so that name and list paint before the network. */
export const rememberedSession = stored("session", z.nullable(z.object({ user: z.nullable(User), features: Features })), null);
