import type { TestProject } from "vitest/node";
import { startSimulators } from "#test/simulators/start-all.ts";
import { CANARIES } from "./canaries.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The simulators' base URLs, without a slash at the end. */
    simulators: {
      aggregator: string;
      google: string;
      mailbox: string;
      parallel: string;
      exa: string;
      dns: string;
      mcp: string;
      codegen: string;
      bland: string;
      whatsapp: string;
      push: string;
    };
  }
}

/** Starts the outside services' stand-ins once for a run of the Worker's tests; the models answer at once unless a prompt slows them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { aggregator, google, mailbox, parallel, exa, dns, mcp, codegen, bland, whatsapp, push, close } = await startSimulators({
    aggregator: { tokensPerSecond: 0, firstTokenMs: 0 },
    codegen: { runMs: 0 },
    bland: { callMs: 0 },
    whatsapp: { secret: CANARIES.WHATSAPP_APP_SECRET },
  });
  if (!aggregator || !google || !mailbox || !parallel || !exa || !dns || !mcp || !codegen || !bland || !whatsapp || !push)
    throw new Error("A simulator did not start.");
  project.provide("simulators", {
    aggregator: aggregator.url,
    google: google.url,
    mailbox: mailbox.url,
    parallel: parallel.url,
    exa: exa.url,
    dns: dns.url,
    mcp: mcp.url,
    codegen: codegen.url,
    bland: bland.url,
    whatsapp: whatsapp.url,
    push: push.url,
  });
  return close;
}
