import * as z from "zod/mini";

/**
 * Work for a person that went on without them and has ended, or an artifact that came to them: `title` names what was imported, indexed or
 * exported, the schedule that ran, or who shared the artifact, as its title is their words; `path` is where it is seen, and `summary` a sentence
 * about what came of it.
 */
export const DoneJob = z.object({
  /** Names this one end of this one job: a repeat of it is the same. */
  id: z.string(),
  what: z.enum(["import", "index", "schedule", "export", "artifact"]),
  title: z.string(),
  isOk: z.boolean(),
  /** True for a schedule that waits for the next day's budget. */
  isDeferred: z.optional(z.boolean()),
  summary: z.nullable(z.string()),
  /** Begins with a slash. */
  path: z.string(),
});
export type DoneJob = z.infer<typeof DoneJob>;

const TITLE_LENGTH = 100;
const DONE = { import: "was imported", index: "is ready to be searched", schedule: "has news for you", export: "is ready" } as const;
const FAILED = { import: "could not be imported", index: "could not be read", schedule: "failed", export: "could not be made" } as const;

/** What became of a job, in one sentence without its full stop. */
export function describeJob({ title, what, isOk, isDeferred }: DoneJob): string {
  if (what === "artifact") return `${title} shared an artifact with you`;
  return `\u2018${title.slice(0, TITLE_LENGTH).trim() || "A file"}\u2019 ${isDeferred ? "is held back" : isOk ? DONE[what] : FAILED[what]}`;
}
