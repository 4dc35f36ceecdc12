import { buildProduct } from "./lib/build/build.ts";
import { deployConfig, ensureResources, requireLogin, runWrangler, secretsFile } from "./lib/cloudflare.ts";
import { readProductionVars } from "./lib/dev-vars.ts";
import { auditPackages, writeInventory } from "./lib/packages.ts";
import { inRoot } from "./lib/paths.ts";
import { runMain } from "./lib/run-main.ts";

await runMain(async () => {
  const given = await readProductionVars(inRoot(".prod.vars"));
  await requireLogin();
  await auditPackages();
  const build = await buildProduct();
  process.stdout.write(`What it is made of stands in ${await writeInventory(build)}\n`);
  const databaseId = await ensureResources();
  const config = await deployConfig(build, databaseId);
  await runWrangler(
    ["d1", "migrations", "apply", "DB", "--remote", "--config", config],
    "The database could not be migrated, and nothing was deployed",
  );
  const { args, forget } = await secretsFile(config, given);
  try {
    await runWrangler(
      ["deploy", "--config", config, "--keep-vars", "--var", `VERSION:${build.version}`, "--var", "ENVIRONMENT:production", ...args],
      "The Worker could not be deployed",
    );
  } finally {
    await forget();
  }
});
