/** Work for a person that went on without them and has ended: `title` names what was imported, indexed or exported, or the schedule that ran, `path` is where it is seen, and `said` a sentence about what came of it. */
export type DoneJob = {
  /** Names this one end of this one job: a repeat of it is the same. */
  id: string;
  what: "import" | "index" | "schedule" | "export";
  title: string;
  isOk: boolean;
  /** True for a schedule that waits for the next day's budget. */
  isHeld?: boolean | undefined;
  said: string | null;
  /** Begins with a slash. */
  path: string;
};
