import { createServer } from "vite";
import { devPagePlugin } from "./lib/dev-page-plugin.ts";
import { readGivenVars } from "./lib/dev-vars.ts";
import { startLocalMail, startLocalServices } from "./lib/local-services.ts";
import { migrateLocal } from "./lib/migrate.ts";
import { inRoot } from "./lib/paths.ts";
import { isPortFree, portFromEnvironment } from "./lib/ports.ts";
import { runMain, untilAskedToStop } from "./lib/run-main.ts";
import { claimState, persistPath, ownSecrets, stateDirectory } from "./lib/state.ts";
import { summary } from "./lib/summary.ts";
import { viteConfig } from "./lib/build/vite-config.ts";

await runMain(async () => {
  const port = portFromEnvironment(5173);
  const stateDir = stateDirectory();
  const given = await readGivenVars(inRoot(".dev.vars"), process.env);
  const release = await claimState(stateDir, port);
  if (!(await isPortFree(port))) {
    throw new Error(`Port ${port} is in use: stop what listens there, or choose another with \`PORT=${port + 1} npm run dev\`.`);
  }
  const local = await startLocalServices(given, { aggregator: { hasMalformedModel: false } });
  const vars = { ...(await ownSecrets(stateDir)), VERSION: "development", ...local.vars };
  await migrateLocal(persistPath(stateDir));
  const config = viteConfig({ vars, stateDir });
  const server = await createServer({
    configFile: false,
    ...config,
    plugins: [
      ...(local.urls.mailbox ? [devPagePlugin("/dev/mailbox", local.urls.mailbox)] : []),
      ...(local.urls.whatsapp ? [devPagePlugin("/dev/phone", local.urls.whatsapp)] : []),
      ...(config.plugins ?? []),
    ],
    server: { host: "localhost", port, strictPort: true },
  });
  await server.listen();
  const url = `http://localhost:${port}`;
  local.onServed(url);
  const mail = await startLocalMail(url, vars);
  process.stdout.write(summary({ url, services: [...local.services, ...(mail ? [mail.service] : [])], note: "Changes show at once." }));
  await untilAskedToStop();
  await Promise.all([server.close(), mail?.close(), local.close(), release()]);
  process.exit(0);
});
