import * as z from "zod/mini";
import { Timestamp } from "./ids.ts";

/** A persona or a prompt as everybody sees it who has its link. */
export const SharedItem = z.object({
  name: z.string(),
  content: z.string(),
  /** Since when it is shared by this link. */
  createdAt: Timestamp,
});
export type SharedItem = z.infer<typeof SharedItem>;
