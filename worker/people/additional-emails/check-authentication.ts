import type { EmailAuthentication } from "#shared/contracts/account/additional-emails.ts";

/** The texts at a name; throws where that could not be found out. */
type LookUp = (name: string) => Promise<string[]>;

/** Providers whose mail all carries both: no look-up is worth their users' time. */
const PUBLIC_PROVIDERS = new Set([
  ..."gmail.com googlemail.com outlook.com hotmail.com live.com msn.com icloud.com me.com mac.com yahoo.com ymail.com aol.com".split(" "),
  ..."proton.me protonmail.com pm.me gmx.net gmx.de web.de zoho.com fastmail.com hey.com mail.com".split(" "),
]);

/** Selectors of the usual mail services; selectors cannot be listed, so a key at another one stays unseen. */
const SELECTORS = [
  ..."google selector1 selector2 default s1 s2 k1 k2 k3 dkim mail resend cf2024-1 fm1 fm2 fm3".split(" "),
  ..."protonmail zoho mandrill mxvault pm".split(" "),
];
/** A Worker has six connections at once. */
const AT_ONCE = 6;

/** Names in the walk up the tree at most (RFC 9989, 4.10). */
const WALK = 8;

/** Whether a mail domain has DKIM or DMARC. No answer from a resolver is an error, not an absence. */
export async function checkAuthentication(domain: string, lookUp: LookUp): Promise<EmailAuthentication> {
  if (PUBLIC_PROVIDERS.has(domain)) return describe(domain, { dkim: true, dmarc: true });
  const [dmarc, dkim] = await Promise.all([hasDmarc(domain, lookUp), hasDkim(domain, lookUp)]);
  return describe(domain, { dkim, dmarc });
}

/** Null stands for what could not be found out. */
type Found = boolean | null;

function describe(domain: string, { dkim, dmarc }: { dkim: Found; dmarc: Found }): EmailAuthentication {
  const methods = [...(dkim ? ["dkim" as const] : []), ...(dmarc ? ["dmarc" as const] : [])];
  const unknown = [...(dkim === null ? ["DKIM"] : []), ...(dmarc === null ? ["DMARC"] : [])];
  return {
    hasAuthentication: methods.length > 0,
    domain,
    methods,
    dkim: dkim === true,
    dmarc: dmarc === true,
    error: unknown.length === 0 ? null : `${unknown.join(" and ")} of ${domain} could not be looked up.`,
  };
}

/** The first name with a record decides, from the domain itself upwards. */
async function hasDmarc(domain: string, lookUp: LookUp): Promise<Found> {
  try {
    for (const name of walkUp(domain)) {
      const records = (await lookUp(`_dmarc.${name}`)).filter((text) => /^v=DMARC1\s*(?:;|$)/.test(text));
      if (records.length === 1) return true;
    }
    return false;
  } catch {
    return null;
  }
}

/** A domain and the names above it; below a name of many labels, as many are left out as keep the walk short. */
function walkUp(domain: string): string[] {
  const labels = domain.split(".");
  const parents = labels.map((_, at) => labels.slice(at).join("."));
  return parents.length <= WALK ? parents : [domain, ...parents.slice(-(WALK - 1))];
}

async function hasDkim(domain: string, lookUp: LookUp): Promise<Found> {
  let isUnsure = false;
  for (let at = 0; at < SELECTORS.length; at += AT_ONCE) {
    const names = SELECTORS.slice(at, at + AT_ONCE).map((selector) => `${selector}._domainkey.${domain}`);
    const answers = await Promise.allSettled(names.map(lookUp));
    if (answers.some((answer) => answer.status === "fulfilled" && answer.value.some(isKey))) return true;
    isUnsure ||= answers.some(({ status }) => status === "rejected");
  }
  return isUnsure ? null : false;
}

/** A key that was not revoked: that one is empty (RFC 6376, 3.6.1). */
function isKey(text: string): boolean {
  return /(?:^|;)\s*p\s*=\s*[A-Za-z0-9+/]/.test(text) && (!/^\s*v\s*=/.test(text) || /^\s*v\s*=\s*DKIM1\s*(?:;|$)/.test(text));
}
