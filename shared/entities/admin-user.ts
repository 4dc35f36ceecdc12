import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** An account or a guest as administrators see it: nothing of what it wrote. */
export const AdminUser = z.object({
  id: Id,
  display_name: z.string(),
  /** Null for a guest. */
  email: z.nullable(z.string()),
  profile_image: z.nullable(z.string()),
  anonymous: z.boolean(),
  plan: z.enum(["none", "solo", "team"]),
  is_admin: z.boolean(),
  blocked_at: z.nullable(Timestamp),
  created_at: Timestamp,
  last_seen_at: Timestamp,
});
export type AdminUser = z.infer<typeof AdminUser>;
