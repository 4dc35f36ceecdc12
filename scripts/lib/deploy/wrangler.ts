import { bin, type CommandResult, runCommand } from "../run-command.ts";

/** Runs wrangler in an account; returns what it said. A failure shows that, and becomes one sentence after it. */
export async function runWrangler({ accountId }: { accountId: string }, args: string[], failure: string): Promise<string> {
  const { code, output } = await runCommand(bin("wrangler"), args, { quiet: true, env: { CI: "1", CLOUDFLARE_ACCOUNT_ID: accountId } });
  if (code === 0) return output;
  process.stdout.write(output);
  throw new Error(`${failure}; the reason stands above.`);
}

/** Asks wrangler without showing what it says. */
export function askWrangler(args: string[]): Promise<CommandResult> {
  return runCommand(bin("wrangler"), args, { quiet: true, env: { CI: "1" } });
}
