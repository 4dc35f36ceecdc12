import { aggregatorWarning } from "./lib/aggregator-check.ts";
import { buildProduct } from "./lib/build/build.ts";
import { readGivenVars } from "./lib/dev-vars.ts";
import { startLocalMail, startLocalServices } from "./lib/local-services.ts";
import { inRoot } from "./lib/paths.ts";
import { isPortFree, portFromEnvironment } from "./lib/ports.ts";
import { runMain, untilAskedToStop } from "./lib/run-main.ts";
import { isGoneReader, serveBuild, type WorkerLog } from "./lib/serve.ts";
import { claimState, ownSecrets, stateDirectory } from "./lib/state.ts";
import { summary } from "./lib/summary.ts";

await runMain(async () => {
  const port = portFromEnvironment(8787);
  const stateDir = stateDirectory();
  const given = await readGivenVars(inRoot(".dev.vars"), process.env);
  const release = await claimState(stateDir, port);
  if (!(await isPortFree(port))) {
    throw new Error(`Port ${port} is in use: stop what listens there, or choose another with \`PORT=${port + 1} npm start\`.`);
  }
  const build = await buildProduct();
  const local = await startLocalServices(given, { aggregator: { hasMalformedModel: false } });
  const vars = { ...(await ownSecrets(stateDir)), ...local.vars };
  const [served, warning] = await Promise.all([
    serveBuild({ build, port, stateDir, vars, mailboxUrl: local.urls.mailbox, phoneUrl: local.urls.whatsapp, onLog: showProblem }),
    local.vars["AGGREGATOR_SIMULATED"] ? null : aggregatorWarning(vars),
  ]);
  local.onServed(served.url);
  const mail = await startLocalMail(served.url, vars);
  process.stdout.write(summary({ url: served.url, services: [...local.services, ...(mail ? [mail.service] : [])] }));
  if (warning) process.stderr.write(`\n${warning}\n`);
  await untilAskedToStop();
  await Promise.all([served.close(), mail?.close(), local.close(), release()]);
  process.exit(0);
});

function showProblem(log: WorkerLog): void {
  const { level, message } = log;
  if ((level === "error" && !isGoneReader(log)) || level === "warn") process.stderr.write(`[worker ${level}] ${message}\n`);
}
