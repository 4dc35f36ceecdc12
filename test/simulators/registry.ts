import { aggregator } from "./aggregator/server.ts";
import { bland } from "./bland/server.ts";
import { codegen } from "./codegen/server.ts";
import type { Service } from "./definition.ts";
import { dns } from "./dns/server.ts";
import { exa } from "./exa/server.ts";
import { google } from "./google/server.ts";
import { mailbox } from "./mailbox/server.ts";
import { mcp } from "./mcp/server.ts";
import { parallel } from "./parallel/server.ts";
import { push } from "./push/server.ts";
import { whatsapp } from "./whatsapp/server.ts";

/** Every outside service, in the order in which `npm start` lists them. */
export const SERVICES = { aggregator, mailbox, google, parallel, exa, dns, mcp, codegen, bland, whatsapp, push };

export type ServiceName = keyof typeof SERVICES;

/** What is known of those that some value is given for, e.g. an address. */
export function servicesOf<T>(given: Partial<Record<ServiceName, T>>): { name: string; service: Service<object>; value: T }[] {
  const values: Record<string, T | undefined> = given;
  return allServices().flatMap(({ name, service }) => {
    const value = values[name];
    return value === undefined ? [] : [{ name, service, value }];
  });
}

/** All of them, by name. */
export function allServices(): { name: string; service: Service<object> }[] {
  return Object.entries<Service<object>>(SERVICES).map(([name, service]) => ({ name, service }));
}
