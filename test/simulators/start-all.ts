import { startAggregator } from "./aggregator/server.ts";
import type { AggregatorOptions } from "./aggregator/settings.ts";
import { startBland, type BlandOptions } from "./bland/server.ts";
import { startCodegen, type CodegenOptions } from "./codegen/server.ts";
import { startDns, type DnsOptions } from "./dns/server.ts";
import { startExa, type ExaOptions } from "./exa/server.ts";
import { startGoogle, type GoogleOptions, type GoogleSimulator } from "./google/server.ts";
import { startMailbox, type MailboxOptions, type MailboxSimulator } from "./mailbox/server.ts";
import { startMcp, type McpOptions } from "./mcp/server.ts";
import { startParallel, type ParallelOptions } from "./parallel/server.ts";
import { startPush, type PushOptions } from "./push/server.ts";
import type { Simulator } from "./simulator.ts";
import { startWhatsapp, type WhatsappOptions, type WhatsappSimulator } from "./whatsapp/server.ts";

/** Which simulators to start; all but those set to false. */
export type StartOptions = {
  aggregator?: boolean | AggregatorOptions;
  google?: boolean | GoogleOptions;
  mailbox?: boolean | MailboxOptions;
  parallel?: boolean | ParallelOptions;
  exa?: boolean | ExaOptions;
  dns?: boolean | DnsOptions;
  mcp?: boolean | McpOptions;
  codegen?: boolean | CodegenOptions;
  bland?: boolean | BlandOptions;
  whatsapp?: boolean | WhatsappOptions;
  push?: boolean | PushOptions;
};

/** The simulators that were started; null for those left out. */
export type Simulators = {
  aggregator: Simulator | null;
  google: GoogleSimulator | null;
  mailbox: MailboxSimulator | null;
  parallel: Simulator | null;
  exa: Simulator | null;
  dns: Simulator | null;
  mcp: Simulator | null;
  codegen: Simulator | null;
  bland: Simulator | null;
  whatsapp: WhatsappSimulator | null;
  push: Simulator | null;
  close(): Promise<void>;
};

function optionsOf<T extends object>(option: boolean | T | undefined): Partial<T> | null {
  if (option === false) return null;
  return typeof option === "object" ? option : {};
}

/** Starts the simulators asked for, each on a free port by default. */
export async function startSimulators(options: StartOptions = {}): Promise<Simulators> {
  const wanted = {
    aggregator: optionsOf(options.aggregator),
    google: optionsOf(options.google),
    mailbox: optionsOf(options.mailbox),
    parallel: optionsOf(options.parallel),
    exa: optionsOf(options.exa),
    dns: optionsOf(options.dns),
    mcp: optionsOf(options.mcp),
    codegen: optionsOf(options.codegen),
    bland: optionsOf(options.bland),
    whatsapp: optionsOf(options.whatsapp),
    push: optionsOf(options.push),
  };
  const [aggregator, google, mailbox, parallel, exa, dns, mcp, codegen, bland, whatsapp, push] = await Promise.all([
    wanted.aggregator && startAggregator(wanted.aggregator),
    wanted.google && startGoogle(wanted.google),
    wanted.mailbox && startMailbox(wanted.mailbox),
    wanted.parallel && startParallel(wanted.parallel),
    wanted.exa && startExa(wanted.exa),
    wanted.dns && startDns(wanted.dns),
    wanted.mcp && startMcp(wanted.mcp),
    wanted.codegen && startCodegen(wanted.codegen),
    wanted.bland && startBland(wanted.bland),
    wanted.whatsapp && startWhatsapp(wanted.whatsapp),
    wanted.push && startPush(wanted.push),
  ]);
  return {
    aggregator,
    google,
    mailbox,
    parallel,
    exa,
    dns,
    mcp,
    codegen,
    bland,
    whatsapp,
    push,
    async close() {
      const all = [aggregator, google, mailbox, parallel, exa, dns, mcp, codegen, bland, whatsapp, push];
      const started = all.filter((simulator) => simulator !== null);
      await Promise.all(started.map((simulator) => simulator.close()));
    },
  };
}
