import { buildProduct } from "./lib/build/build.ts";
import { cleanCommit } from "./lib/deploy/clean-tree.ts";
import { copyOf } from "./lib/deploy/copy.ts";
import { requireReady } from "./lib/deploy/missing.ts";
import { openPlatform } from "./lib/deploy/platform.ts";
import { upload } from "./lib/deploy/upload.ts";
import { howToGoBack, verify } from "./lib/deploy/verify.ts";
import { readProductionVars } from "./lib/dev-vars.ts";
import { auditPackages, writeInventory } from "./lib/packages.ts";
import { inRoot } from "./lib/paths.ts";
import { runCommand } from "./lib/run-command.ts";
import { runMain } from "./lib/run-main.ts";

/** Given where the step before was `npm run check`, as in .github/workflows/deploy.yml. */
const CHECKED = "--checked";
/** Says what is missing, and does nothing else. */
const LOOK = "--look";

await runMain(async () => {
  const copy = copyOf(process.env["STAGE"], process.env["D1_LOCATION"]);
  // npm keeps for itself what stands without `--` before it.
  const isLook = process.argv.includes(LOOK) || process.env["npm_config_look"] === "true";
  const commit = isLook ? "" : await cleanCommit();
  const vars = await readProductionVars(inRoot(copy.varsFile), process.env["PROD_VARS"]);
  const origin = new URL(vars["APP_ORIGIN"] ?? "").origin;
  const platform = await openPlatform();
  // In seconds, and before the minutes of the checks.
  const ready = await requireReady(platform, copy, { origin, commit, vars });
  if (isLook) return void process.stdout.write(`Nothing is missing that can be seen from here: \`${copy.command}\` can begin.\n`);
  if (!process.argv.includes(CHECKED)) await check();
  await auditPackages();
  const build = await buildProduct();
  process.stdout.write(`What it is made of stands in ${await writeInventory(build)}\n`);
  const secret = await upload({ platform, copy, ready, build, commit, vars, origin });
  const at = process.env["DEPLOYMENT_URL"] ?? origin;
  await verify({ at, secret, version: build.version, hasNewDomain: !ready.hasDomain }).catch((error: unknown) => {
    throw new Error(howToGoBack(error instanceof Error ? error.message : String(error), copy, ready.previous), { cause: error });
  });
  process.stdout.write(`Open ${origin}. What to look at first is in docs/first-week.md.\n`);
});

async function check(): Promise<void> {
  const { code } = await runCommand(process.execPath, [inRoot("scripts", "check.ts")]);
  if (code !== 0) throw new Error("Nothing was deployed, as `npm run check` fails.");
}
