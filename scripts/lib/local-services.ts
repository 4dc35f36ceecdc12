import type { AggregatorOptions } from "#test/simulators/aggregator/settings.ts";
import type { CodegenOptions } from "#test/simulators/codegen/server.ts";
import { startSimulators } from "#test/simulators/start-all.ts";
import { startSmtp } from "#test/simulators/smtp/server.ts";
import type { Vars } from "./dev-vars.ts";
import { isPortFree } from "./ports.ts";
import {
  aggregatorVars,
  blandVars,
  codegenVars,
  dnsVars,
  exaVars,
  googleVars,
  LOCAL_VARS,
  mailboxVars,
  parallelVars,
  pushVars,
  whatsappVars,
} from "./simulated-vars.ts";

/** One outside service as this run sees it. */
export type LocalService = {
  name: string;
  simulated: boolean;
  what: string;
  /** The path at which the local server shows it. */
  page?: string;
  makeReal: string;
};

export type LocalServices = {
  services: LocalService[];
  vars: Vars;
  mailboxUrl: string | undefined;
  mcpUrl: string | undefined;
  whatsappUrl: string | undefined;
  pushUrl: string | undefined;
  /** Has what phones send reach the Worker at this address. */
  setPhoneWebhook(workerUrl: string): void;
  close(): Promise<void>;
};

/** Starts a stand-in for each outside service that `asked` has no key for, and says what the Worker then needs; an empty value is none. */
export async function startLocalServices(asked: Vars, pace: AggregatorOptions = {}, runs: CodegenOptions = {}): Promise<LocalServices> {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
  const { aggregator, google, mailbox, parallel, exa, dns, mcp, codegen, bland, whatsapp, push, close } = await startSimulators({
    aggregator: !given["OPENROUTER_API_KEY"] && !given["AGGREGATOR_URL"] && pace,
    google: !given["GOOGLE_CLIENT_ID"],
    mailbox: !given["RESEND_API_KEY"],
    parallel: !given["PARALLEL_API_KEY"],
    exa: !given["EXA_API_KEY"],
    dns: !given["DNS_URL"],
    codegen: !given["CODEGEN_URL"] && runs,
    bland: !given["BLAND_API_KEY"],
    whatsapp: !given["WHATSAPP_TOKEN"],
  });
  return {
    services: [
      {
        name: "Models",
        simulated: aggregator !== null,
        what: aggregator ? "a demonstration model answers" : (given["AGGREGATOR_URL"] ?? "OpenRouter"),
        makeReal: "OPENROUTER_API_KEY",
      },
      {
        name: "Mail",
        simulated: mailbox !== null,
        what: mailbox ? "kept in the local mailbox" : "Resend",
        ...(mailbox && { page: "/dev/mailbox" }),
        makeReal: "RESEND_API_KEY and MAIL_FROM",
      },
      {
        name: "Google sign-in",
        simulated: google !== null,
        what: google ? "a stand-in with test accounts" : "Google",
        makeReal: "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET",
      },
      {
        name: "Web search",
        simulated: parallel !== null,
        what: parallel ? "thirty pages that exist only here" : "Parallel",
        makeReal: "PARALLEL_API_KEY",
      },
      {
        name: "Pages and images",
        simulated: exa !== null,
        what: exa ? "those same pages, and their pictures" : "Exa",
        makeReal: "EXA_API_KEY",
      },
      {
        name: "DNS",
        simulated: dns !== null,
        what: dns ? "mail domains that exist only here" : (given["DNS_URL"] ?? ""),
        makeReal: "DNS_URL",
      },
      {
        name: "MCP servers",
        simulated: true,
        what: `to connect in the settings: ${mcp?.url}/everything/mcp and ${mcp?.url}/weather/mcp`,
        makeReal: "any server's URL in the settings",
      },
      {
        name: "Code agent",
        simulated: codegen !== null,
        what: codegen ? "a stand-in: organization 123, any token that begins with cg-" : (given["CODEGEN_URL"] ?? ""),
        makeReal: "CODEGEN_URL=https://api.codegen.com",
      },
      {
        name: "Phone",
        simulated: bland !== null,
        what: bland ? "calls nobody: what is said follows a script" : "Bland",
        makeReal: "BLAND_API_KEY",
      },
      {
        name: "Messaging app",
        simulated: whatsapp !== null,
        what: whatsapp ? "phones that exist only here" : "WhatsApp",
        ...(whatsapp && { page: "/dev/phone" }),
        makeReal: "WHATSAPP_TOKEN and the others of docs/configuration.md",
      },
      {
        name: "Notifications",
        simulated: false,
        what: "each browser's own push service, with keys of this state",
        makeReal: "VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY",
      },
    ],
    vars: {
      ...LOCAL_VARS,
      ...(aggregator && aggregatorVars(aggregator.url)),
      ...(google && googleVars(google.url)),
      ...(mailbox && mailboxVars(mailbox.url)),
      ...(parallel && parallelVars(parallel.url)),
      ...(exa && exaVars(exa.url)),
      ...(dns && dnsVars(dns.url)),
      ...(codegen && codegenVars(codegen.url)),
      ...(bland && blandVars(bland.url)),
      ...(whatsapp && whatsappVars(whatsapp.url)),
      ...(push && pushVars(push.url)),
      ...given,
    },
    mailboxUrl: mailbox?.url,
    mcpUrl: mcp?.url,
    whatsappUrl: whatsapp?.url,
    pushUrl: push?.url,
    setPhoneWebhook: (workerUrl) => whatsapp?.setWebhook(`${workerUrl}/api/whatsapp/webhook`),
    close,
  };
}

type LocalMail = { service: LocalService; port: number; close(): Promise<void> };

function smtpPort(): number {
  return Number(process.env["SMTP_PORT"] ?? SMTP_PORT);
}

/** Where the local mail server listens unless `SMTP_PORT` says otherwise; where that is taken, any port will do. */
const SMTP_PORT = 2525;

/** Starts the mail server in front of a Worker that is served, where chats have addresses, and says how they are written to. */
export async function startLocalMail(workerUrl: string, vars: Vars, wanted = smtpPort()): Promise<LocalMail | null> {
  const domain = vars["MAIL_DOMAIN"]?.trim().toLowerCase();
  if (!domain) return null;
  const port = (await isPortFree(wanted)) ? wanted : 0;
  const smtp = await startSmtp({ port, workerUrl, domain });
  const what = `write to a chat's address at ${domain} by SMTP on 127.0.0.1:${smtp.port}`;
  const service = { name: "Mail coming in", simulated: true, what, makeReal: "MAIL_DOMAIN and Email Routing, once deployed" };
  return { service, port: smtp.port, close: smtp.close };
}
