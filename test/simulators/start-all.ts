import { startAggregator } from "./aggregator/server.ts";
import type { AggregatorOptions } from "./aggregator/settings.ts";
import { startGoogle, type GoogleOptions, type GoogleSimulator } from "./google/server.ts";
import { startMailbox, type MailboxOptions, type MailboxSimulator } from "./mailbox/server.ts";
import type { Simulator } from "./simulator.ts";

/** Which simulators to start; all but those set to false. */
export type StartOptions = {
  aggregator?: boolean | AggregatorOptions;
  google?: boolean | GoogleOptions;
  mailbox?: boolean | MailboxOptions;
};

/** The simulators that were started; null for those left out. */
export type Simulators = {
  aggregator: Simulator | null;
  google: GoogleSimulator | null;
  mailbox: MailboxSimulator | null;
  close(): Promise<void>;
};

function optionsOf<T extends object>(option: boolean | T | undefined): Partial<T> | null {
  if (option === false) return null;
  return typeof option === "object" ? option : {};
}

/** Starts the simulators asked for, each on a free port unless told otherwise. */
export async function startSimulators(options: StartOptions = {}): Promise<Simulators> {
  const wanted = { aggregator: optionsOf(options.aggregator), google: optionsOf(options.google), mailbox: optionsOf(options.mailbox) };
  const [aggregator, google, mailbox] = await Promise.all([
    wanted.aggregator && startAggregator(wanted.aggregator),
    wanted.google && startGoogle(wanted.google),
    wanted.mailbox && startMailbox(wanted.mailbox),
  ]);
  return {
    aggregator,
    google,
    mailbox,
    async close() {
      await Promise.all([aggregator?.close(), google?.close(), mailbox?.close()]);
    },
  };
}
