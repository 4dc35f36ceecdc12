/** What stands in a fact that is kept only at its person's word, or not at all; a model's own judgement comes on top. */

const SENSITIVE = [
  /\b(?:diagnos|diseas|disorder|illness|cancer|tumou?r|diabet|hiv\b|aids\b|pregnan|miscarriage|abortion|depress|anxiety|bipolar|schizo|autis|adhd|suicid|addict|alcoholi|rehab\b|therap(?:y|ist)|psychiat|medication|medicat|antidepress|insulin|disab(?:led|ilit)|surgery|symptom)/iu,
  /\b(?:christian|catholic|protestant|muslim|islam|jewish|judaism|hindu|buddhis|atheis|religio|faith\b|prays?\b|church|mosque|synagogue)/iu,
  /\b(?:gay|lesbian|bisexual|transgender|non-?binary|queer|heterosexual|homosexual|sexual|sex life)\b/iu,
  /\b(?:votes?d? (?:for|against)|political|republican|democrat|conservative|socialist|communist|left-wing|right-wing|party member|trade union|union member)\b/iu,
  /\b(?:convict|criminal|arrested|prison|lawsuit|sued\b|probation|police record)/iu,
  /\b(?:ethnic|racial|asylum|undocumented|immigration status|refugee)\b/iu,
  /\b(?:bankrupt|debts?\b|salary|net worth|earns? [€$£]?\d)/iu,
  /\b(?:divorc|affair\b|custody of)/iu,
];

const SECRET = [
  /\b(?:password|passcode|passphrase|pin code|secret key|api[ -]?key|access token|private key|seed phrase|cvv|cvc)\b\W{0,3}(?:is|=|:)?\s*\S*\d/iu,
  /\b(?:password|passphrase|seed phrase)\s+(?:is|=|:)\s*\S+/iu,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b/u,
  /\b\d{3}-\d{2}-\d{4}\b/u,
  /\b(?:sk|pk|ghp|xox[abp])[-_][A-Za-z0-9_-]{16,}/u,
];

/** True for a fact about its person that they are asked about before it is kept, e.g. their health or their faith. */
export function isSensitive(text: string): boolean {
  return SENSITIVE.some((form) => form.test(text));
}

/** True for what opens something, e.g. a password or a card's number: it is not kept at all. */
export function holdsSecret(text: string): boolean {
  return SECRET.some((form) => form.test(text)) || (text.match(/\d(?:[ -]?\d){12,18}/gu) ?? []).some(isCardNumber);
}

/** By the check digit that all cards have. */
function isCardNumber(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/gu, ""), Number).toReversed();
  const sum = digits.reduce((total, digit, at) => {
    const counted = at % 2 === 0 ? digit : digit * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}
