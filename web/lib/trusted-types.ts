import type { TrustedTypesPolicy } from "#shared/trusted-types.ts";

type Rules = { createHTML?: (given: string) => string; createScriptURL?: (given: string) => string };
/** What a policy makes is no text; but it is taken where the DOM's types know of text alone. */
type Policy = { createHTML: (given: string) => string; createScriptURL: (given: string) => string };

declare global {
  // oxlint-disable-next-line no-var -- how a global of the browser's is declared
  var trustedTypes: { createPolicy: (name: TrustedTypesPolicy, rules: Rules) => Policy } | undefined;
}

/** Where text becomes what the browser runs: only these rules make it, in browsers that hold pages to that. */
export function createPolicy(name: TrustedTypesPolicy, rules: Rules): Policy {
  const { createHTML = refuse, createScriptURL = refuse } = rules;
  return globalThis.trustedTypes?.createPolicy(name, rules) ?? { createHTML, createScriptURL };
}

let scripts: Policy | undefined;

/** The address of one of the product's own scripts, for a worker to run. */
export function ownScript(address: string): string {
  scripts ??= createPolicy("own-scripts", { createScriptURL: ownAddress });
  return scripts.createScriptURL(address);
}

/** The full address of one of the product's own files; throws for any other. */
function ownAddress(address: string): string {
  const { href, origin } = new URL(address, location.href);
  if (origin !== location.origin) throw new TypeError("Only the product's own scripts are run.");
  return href;
}

function refuse(): never {
  throw new TypeError("This policy makes nothing of the kind.");
}
