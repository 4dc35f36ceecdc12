import { runCommand } from "../run-command.ts";

/** The commit that is checked out. Throws where the tree holds anything else: nobody could go back to what is in no commit. */
export async function cleanCommit(): Promise<string> {
  const commit = await git(["rev-parse", "--short=12", "HEAD"]);
  if (commit === null) throw new Error("This is no git checkout: deploy from a clone, so that you can go back to a commit.");
  const changed = await git(["status", "--porcelain"]);
  if (changed === null || changed === "") return commit;
  throw new Error(`Nothing was deployed, as this is in no commit yet:\n${changed}\nCommit it, or take it away, then try again.`);
}

async function git(args: string[]): Promise<string | null> {
  const { code, output } = await runCommand("git", args, { quiet: true });
  return code === 0 ? output.trimEnd() : null;
}
