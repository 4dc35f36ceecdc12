import type { TestProject } from "vitest/node";
import { allServices } from "#test/simulators/registry.ts";
import { startSimulators, urlsOf } from "#test/simulators/start-all.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The simulators' base URLs by name, without a slash at the end. */
    simulators: Record<string, string>;
    canaries: Record<string, string>;
  }
}

/** Secrets that no outside service has. */
const OWN_CANARIES = {
  SESSION_SECRET: "canary-session-secret-of-more-than-32-characters",
  CREDENTIAL_KEYS: "canary:Y2FuYXJ5LWtleS1vZi1jcmVkZW50aWFscy0wMTIzNDU=",
  DEPLOYMENT_SECRET: "canary-deployment-secret-of-more-than-32-characters",
};

/** Starts the outside services' stand-ins once for a run of the Worker's tests, which wait for none of them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = allServices();
  const { simulators, close } = await startSimulators(
    Object.fromEntries(services.map(({ name, service }) => [name, service.inTests?.options ?? {}])),
  );
  project.provide("simulators", urlsOf(simulators));
  project.provide("canaries", Object.assign({}, OWN_CANARIES, ...services.map(({ service }) => service.inTests?.canaries ?? {})));
  return close;
}
