import * as z from "zod/mini";
import { Timestamp } from "../ids.ts";

/** How the index of a person's Drive stands. */
export const DriveIndexStatus = z.object({
  status: z.enum(["none", "running", "completed", "error"]),
  /** Files found so far, those that are not read among them. */
  totalFiles: z.number(),
  indexedFiles: z.number(),
  /** Of a kind that has no text, or larger than what is read. */
  skippedFiles: z.number(),
  /** Some of those where nothing can be found, and why. */
  errors: z.array(z.object({ fileName: z.string(), error: z.string() })),
  message: z.nullable(z.string()),
  /** When its last run was over; null while it runs. */
  finishedAt: z.nullable(Timestamp),
});
export type DriveIndexStatus = z.infer<typeof DriveIndexStatus>;
