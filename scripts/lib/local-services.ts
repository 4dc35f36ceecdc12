import { startAggregator } from "#test/simulators/aggregator/server.ts";
import { startGoogle } from "#test/simulators/google/server.ts";
import { startMailbox } from "#test/simulators/mailbox/server.ts";
import type { Vars } from "./dev-vars.ts";
import { aggregatorVars, googleVars, LOCAL_VARS, mailboxVars } from "./simulated-vars.ts";

/** One outside service as this run sees it. */
export type LocalService = { name: string; simulated: boolean; what: string; makeReal: string };

export type LocalServices = { services: LocalService[]; vars: Vars; mailboxUrl: string | undefined; close(): Promise<void> };

/** Starts a stand-in for each outside service that `given` has no key for, and says what the Worker then needs. */
export async function startLocalServices(given: Vars): Promise<LocalServices> {
  const aggregator = given["OPENROUTER_API_KEY"] || given["AGGREGATOR_URL"] ? null : await startAggregator();
  const google = given["GOOGLE_CLIENT_ID"] ? null : await startGoogle();
  const mailbox = given["RESEND_API_KEY"] ? null : await startMailbox();
  const simulators = [aggregator, google, mailbox].filter((simulator) => simulator !== null);
  return {
    services: [
      {
        name: "Models",
        simulated: aggregator !== null,
        what: aggregator ? "a demonstration model answers" : (given["AGGREGATOR_URL"] ?? "OpenRouter"),
        makeReal: "OPENROUTER_API_KEY",
      },
      { name: "Mail", simulated: mailbox !== null, what: mailbox ? "kept in the local mailbox" : "Resend", makeReal: "RESEND_API_KEY and MAIL_FROM" },
      {
        name: "Google sign-in",
        simulated: google !== null,
        what: google ? "a stand-in with test accounts" : "Google",
        makeReal: "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET",
      },
    ],
    vars: {
      ...LOCAL_VARS,
      ...(aggregator && aggregatorVars(aggregator.url)),
      ...(google && googleVars(google.url)),
      ...(mailbox && mailboxVars(mailbox.url)),
      ...given,
    },
    mailboxUrl: mailbox?.url,
    close: async () => {
      await Promise.all(simulators.map((simulator) => simulator.close()));
    },
  };
}
