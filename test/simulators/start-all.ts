import { allServices, type ServiceName, type SERVICES } from "./registry.ts";
import type { Simulator } from "./simulator.ts";

/** Which simulators to start, and how; all but those set to false. */
export type StartOptions = { [Name in ServiceName]?: boolean | Parameters<(typeof SERVICES)[Name]["start"]>[0] };

/** The simulators that were started. */
export type Simulators = Partial<Record<ServiceName, Simulator>>;

/** Starts the simulators asked for, each on a free port by default. */
export async function startSimulators(options: StartOptions = {}): Promise<{ simulators: Simulators; close(): Promise<void> }> {
  const asked: Record<string, boolean | object | undefined> = options;
  const wanted = allServices().filter(({ name }) => asked[name] !== false);
  const started = await Promise.all(
    wanted.map(async ({ name, service }) => {
      const option = asked[name];
      return [name, await service.start(typeof option === "object" ? option : {})] as const;
    }),
  );
  return {
    simulators: Object.fromEntries(started),
    async close() {
      await Promise.all(started.map(([, simulator]) => simulator.close()));
    },
  };
}

/** Their base URLs. */
export function urlsOf(simulators: Simulators): Partial<Record<ServiceName, string>> {
  return Object.fromEntries(Object.entries(simulators).map(([name, { url }]) => [name, url]));
}
