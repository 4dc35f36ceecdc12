/** Runs simulators as a process of their own: `node test/simulators/main.ts [aggregator] [google] [mailbox] [parallel] [exa] [dns] [mcp] [codegen] [bland] [whatsapp] [push]`; all of them without a name. */
import { startSimulators } from "./start-all.ts";

const names = process.argv.slice(2);
const wants = (name: string): boolean => names.length === 0 || names.includes(name);
const portOf = (name: string): number => Number(process.env[name] ?? 0);

const simulators = await startSimulators({
  aggregator: wants("aggregator") && { port: portOf("SIM_AGGREGATOR_PORT") },
  google: wants("google") && { port: portOf("SIM_GOOGLE_PORT") },
  mailbox: wants("mailbox") && { port: portOf("SIM_MAILBOX_PORT") },
  parallel: wants("parallel") && { port: portOf("SIM_PARALLEL_PORT") },
  exa: wants("exa") && { port: portOf("SIM_EXA_PORT") },
  dns: wants("dns") && { port: portOf("SIM_DNS_PORT") },
  mcp: wants("mcp") && { port: portOf("SIM_MCP_PORT") },
  codegen: wants("codegen") && { port: portOf("SIM_CODEGEN_PORT") },
  bland: wants("bland") && { port: portOf("SIM_BLAND_PORT") },
  whatsapp: wants("whatsapp") && { port: portOf("SIM_WHATSAPP_PORT") },
  push: wants("push") && { port: portOf("SIM_PUSH_PORT") },
});

async function stop(): Promise<void> {
  await simulators.close();
  process.exit(0);
}
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
process.once("disconnect", () => void stop());

const { aggregator, google, mailbox, parallel, exa, dns, mcp, codegen, bland, whatsapp, push } = simulators;
// oxlint-disable-next-line no-console -- the line is what the parent process reads
console.log(
  JSON.stringify({
    aggregator: aggregator?.url,
    google: google?.url,
    mailbox: mailbox?.url,
    parallel: parallel?.url,
    exa: exa?.url,
    dns: dns?.url,
    mcp: mcp?.url,
    codegen: codegen?.url,
    bland: bland?.url,
    whatsapp: whatsapp?.url,
    push: push?.url,
  }),
);
