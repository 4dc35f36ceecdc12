import { Resolver } from "node:dns/promises";
import { mailKeys } from "./mail-keys.ts";
import { sendJson, startServer, untilDisconnected, type Exchange, type Simulator } from "../simulator.ts";
import { defineService } from "../definition.ts";

export type DnsOptions = { port?: number };

const CNAME = 5;
const TYPES: Record<string, number> = { A: 1, CNAME, AAAA: 28, TXT: 16 };

type Row = { type: number; data: string };
/** An answer's rows, or what goes wrong instead. */
type Entry = readonly Row[] | "servfail" | "hang" | "500";

/** What DNS over HTTPS writes for a TXT record of these strings. */
function txt(...strings: string[]): Row {
  return { type: 16, data: strings.map((text) => `"${text}"`).join(" ") };
}

const KEY = "p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC";

/** Mail domains of the tests; no other has a TXT record. */
const ZONE: Record<string, Entry> = {
  "_dmarc.example.com": [txt("v=DMARC1; p=reject; ", "rua=mailto:reports@example.com")],
  "_dmarc.organisation.example": [txt("v=DMARC1; p=none")],
  "_dmarc.twice.example": [txt("v=DMARC1; p=none"), txt("v=DMARC1; p=reject")],
  "_dmarc.other.example": [txt("some other text")],
  "_dmarc.alias.example": [
    { type: CNAME, data: "_dmarc.example.com." },
    { type: 16, data: "v=DMARC1; p=quarantine" },
  ],
  "s1._domainkey.signed.example": [txt("k=rsa; ", KEY)],
  "google._domainkey.revoked.example": [txt("v=DKIM1; k=rsa; p=")],
  "_dmarc.broken.example": "servfail",
  "_dmarc.half.example": "servfail",
  "selector1._domainkey.half.example": [txt(`v=DKIM1; ${KEY}`)],
  "default._domainkey.unsure.example": "servfail",
  "_dmarc.unsure.example": [txt("v=DMARC1; p=none")],
  "_dmarc.strict.example": [txt("v=DMARC1; p=reject; adkim=s")],
  "_dmarc.slow.example": "hang",
  "_dmarc.down.example": "500",
};

/** What DNS says at a selector of any mail domain: keys that the tests sign with, and what may stand there besides. */
const SELECTORS: Record<string, () => Entry> = {
  polylogue: () => [rsaKey()],
  "polylogue-ed": () => [txt(`v=DKIM1; k=ed25519; p=${mailKeys().ed25519}`)],
  "polylogue-two": () => [txt("some other text"), rsaKey()],
  "polylogue-testing": () => [rsaKey("t=y; ")],
  "polylogue-revoked": () => [txt("v=DKIM1; k=rsa; p=")],
  "polylogue-away": () => "servfail",
  "polylogue-long": () => [txt("v=DKIM1; k=rsa; n=", ...Array.from({ length: 30 }, () => "a".repeat(200)), "; p=", ...rsaStrings())],
};
/** Selectors of mail services, each at its own domain, and of the platform. */
const SERVICES = new Set([
  "20230601._domainkey.gmail.com",
  "selector1._domainkey.outlook.com",
  "1a1hai._domainkey.icloud.com",
  "fm3._domainkey.fastmail.com",
  "fm3._domainkey.messagingengine.com",
  "7v7vs6w47njt4pimodk5mmttbegzsi6n._domainkey.shop.example",
  "224i4yxa5dv7c2xz3womw6peuasteono._domainkey.amazonses.com",
  "cf2024-1._domainkey.cloudflare-email.net",
  "cf2024-1._domainkey.cloudflare-email.org",
  "cf2024-1._domainkey.cloudflare-email.com",
]);

/** In two strings, as no string of DNS is that long. */
function rsaKey(flags = ""): Row {
  const [first = "", second = ""] = rsaStrings();
  return txt(`v=DKIM1; k=rsa; ${flags}p=${first}`, second);
}

function rsaStrings(): string[] {
  const { rsa } = mailKeys();
  return [rsa.slice(0, 200), rsa.slice(200)];
}

function textsAt(name: string): Entry | undefined {
  if (Object.hasOwn(ZONE, name)) return ZONE[name];
  if (SERVICES.has(name)) return [rsaKey()];
  const selector = /^([^.]+)\._domainkey\./.exec(name)?.[1] ?? "";
  return Object.hasOwn(SELECTORS, selector) ? SELECTORS[selector]?.() : undefined;
}

/** A name whose addresses cannot be resolved now, and one of which only those of one kind can. */
const UNSURE = "unsure.example";
const HALF_SURE = "half-sure.example";

/** Starts a resolver with DNS over HTTPS in its JSON form: TXT records from its own zone, addresses as this machine knows them. */
export function startDns({ port = 0 }: DnsOptions = {}): Promise<Simulator> {
  return startServer({
    name: "dns",
    port,
    routes: { "GET /dns-query": answer },
    control: { "GET /control/mail-keys": ({ response }) => sendJson(response, 200, mailKeys().secret) },
  });
}

async function answer({ url, response, disconnected }: Exchange): Promise<void> {
  const name = (url.searchParams.get("name") ?? "").toLowerCase().replace(/\.$/, "");
  const type = url.searchParams.get("type") ?? "A";
  const number = TYPES[type];
  if (name === "" || number === undefined) return sendJson(response, 400, { error: "Invalid query." });
  const entry = type === "TXT" ? textsAt(name) : type === "CNAME" ? undefined : await addresses(name, type);
  if (entry === "hang") return untilDisconnected(disconnected);
  if (entry === "500") return sendJson(response, 500, { error: "The resolver failed." });
  const status = entry === undefined ? 3 : entry === "servfail" ? 2 : 0;
  sendJson(response, 200, {
    Status: status,
    TC: false,
    RD: true,
    RA: true,
    AD: false,
    CD: false,
    Question: [{ name, type: number }],
    ...(Array.isArray(entry) && { Answer: entry.map((row: Row) => ({ name, TTL: 300, ...row })) }),
  });
}

async function addresses(name: string, type: string): Promise<Entry | undefined> {
  if (name === UNSURE || (name === HALF_SURE && type === "AAAA")) return "servfail";
  if (name === HALF_SURE) return [{ type: 1, data: "93.184.215.14" }];
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  try {
    const found = await (type === "AAAA" ? resolver.resolve6(name) : resolver.resolve4(name));
    return found.map((data) => ({ type: TYPES[type] ?? 0, data }));
  } catch {
    // Unknown to this machine, or out of its reach.
    return undefined;
  }
}

/** DNS over HTTPS. */
export const dns = defineService({
  start: startDns,
  vars: (url) => ({ DNS_URL: `${url}/dns-query` }),
  realWith: ["DNS_URL"],
  row: {
    title: "DNS",
    simulated: () => "mail domains that exist only here",
    real: ({ DNS_URL }) => DNS_URL ?? "",
    makeReal: "DNS_URL",
  },
});
