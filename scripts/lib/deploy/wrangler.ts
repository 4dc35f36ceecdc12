import { bin, type CommandResult, runCommand } from "../run-command.ts";

/** Runs wrangler in an account with its output shown; a failure becomes one sentence after wrangler's own words. */
export async function runWrangler({ accountId }: { accountId: string }, args: string[], failure: string): Promise<void> {
  const { code } = await runCommand(bin("wrangler"), args, { env: { CI: "1", CLOUDFLARE_ACCOUNT_ID: accountId } });
  if (code !== 0) throw new Error(`${failure}; the reason stands above.`);
}

/** Asks wrangler without showing what it says. */
export function askWrangler(args: string[]): Promise<CommandResult> {
  return runCommand(bin("wrangler"), args, { quiet: true, env: { CI: "1" } });
}
