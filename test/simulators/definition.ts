import type { Vars } from "../../scripts/lib/dev-vars.ts";
import type { Simulator } from "./simulator.ts";

/** How a service stands in the list that `npm start` ends with. */
type ServiceRow = {
  title: string;
  /** What its stand-in does; null where the real one is used although there is a stand-in. */
  simulated: ((url: string) => string) | null;
  /** What the real one is. */
  real: (given: Vars) => string;
  /** The path at which the local server shows the stand-in. */
  page?: string;
  /** Which variables make it real. */
  makeReal: string;
};

/** All that is known of an outside service's stand-in; whoever starts, configures, lists or tests it goes by this. */
export type Service<Options extends object> = {
  start(options: Options): Promise<Simulator>;
  /** Points the Worker at it; `url` has no slash at its end. */
  vars(url: string): Vars;
  /** Any of these that is given has the real one used instead. */
  realWith: readonly string[];
  row: ServiceRow;
  /** What the Worker's tests have of it: options, and the secrets among its variables, which must turn up nowhere. */
  inTests?: { options?: Options; vars?: Vars; canaries?: Vars };
};

/** Describes a service beside its stand-in; `registry.ts` names it. */
export function defineService<Options extends object>(service: Service<Options>): Service<Options> {
  return service;
}
