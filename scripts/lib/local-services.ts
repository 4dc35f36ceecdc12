import { servicesOf, allServices, type ServiceName } from "#test/simulators/registry.ts";
import { startSimulators, type StartOptions, urlsOf } from "#test/simulators/start-all.ts";
import { startSmtp } from "#test/simulators/smtp/server.ts";
import type { Vars } from "./dev-vars.ts";
import { LOCAL_VARS } from "./local-vars.ts";
import { isPortFree } from "./ports.ts";

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
  /** Where the stand-ins are; the real services have none. */
  urls: Partial<Record<ServiceName, string>>;
  /** Has what stand-ins send, as phones do, reach the Worker at this address. */
  onServed(workerUrl: string): void;
  close(): Promise<void>;
};

/** Starts a stand-in for each outside service that `asked` has no key for, and says what the Worker then needs; an empty value is none. */
export async function startLocalServices(asked: Vars, options: StartOptions = {}): Promise<LocalServices> {
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
  const real = allServices().filter(({ service }) => service.realWith.some((variable) => given[variable] !== undefined));
  const { simulators, close } = await startSimulators({ ...options, ...Object.fromEntries(real.map(({ name }) => [name, false])) });
  const urls = urlsOf(simulators);
  const byName: Record<string, string | undefined> = urls;
  return {
    services: allServices().map(({ name, service: { row } }) => {
      const url = byName[name];
      const what = url !== undefined && row.simulated?.(url);
      if (!what) return { name: row.title, simulated: false, what: row.real(given), makeReal: row.makeReal };
      return { name: row.title, simulated: true, what, ...(row.page && { page: row.page }), makeReal: row.makeReal };
    }),
    vars: Object.assign({}, LOCAL_VARS, ...servicesOf(urls).map(({ service, value }) => service.vars(value)), given),
    urls,
    onServed: (workerUrl) => {
      for (const simulator of Object.values(simulators)) simulator.onServed?.(workerUrl);
    },
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
