/** Runs simulators as a process of their own: `node test/simulators/main.ts [aggregator] [google] …`; all of them without a name. */
import { allServices } from "./registry.ts";
import { startSimulators, urlsOf } from "./start-all.ts";

const names = process.argv.slice(2);
const options = allServices().map(({ name }) => {
  const port = Number(process.env[`SIM_${name.toUpperCase()}_PORT`] ?? 0);
  return [name, names.length === 0 || names.includes(name) ? { port } : false];
});

const { simulators, close } = await startSimulators(Object.fromEntries(options));

async function stop(): Promise<void> {
  await close();
  process.exit(0);
}
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
process.once("disconnect", () => void stop());

// oxlint-disable-next-line no-console -- the line is what the parent process reads
console.log(JSON.stringify(urlsOf(simulators)));
