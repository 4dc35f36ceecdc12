/** A mail's DKIM signatures, its domain's DMARC policy and the platform's seals, verified by mailauth: loaded with the first mail that has any. */
import { arc } from "mailauth/lib/arc";
import { DkimVerifier, type SignatureResult } from "mailauth/lib/dkim/dkim-verifier";
import { dmarc, type Resolver } from "mailauth/lib/dmarc";
import type { DnsRecords } from "../clients/dns.ts";
import { isAligned } from "./authentication.ts";

/** Signatures of the sender's domain that are verified, from the top, and names that are asked for. */
const SIGNATURES = 8;
const LOOK_UPS = 8;
/** Smaller keys prove nothing (RFC 8301). */
const KEY_BITS = 1024;
/** What is handed on at a time, in bytes: mailauth takes a second a megabyte for lines that come one by one. */
const SLICE_BYTES = 1024 * 1024;
/** Enough for most mails whole: many may come in at once. */
const FIRST_SLICE_BYTES = 64 * 1024;

type LookUp = (name: string, type: "TXT" | "A" | "CNAME") => Promise<DnsRecords>;

/** `temporary` where DNS did not answer what it takes to know. */
type Verdict = "pass" | "fail" | "temporary";
/** Whether a signature proves the sender, and whether the uppermost seal holds; `reasons` for an operator, without anybody's name. */
export type SignatureProof = { result: Verdict; seal: Verdict; reasons: string[] };

/** The address in lower case, and the number of the set on top of the mail whose seal is to be verified; null for none. */
type Claim = { address: string; sealed: number | null };

export type SignatureVerifier = { follow(piece: Uint8Array): Promise<void>; conclude(): Promise<SignatureProof> };

/** Follows a source and says at its end what its signatures prove. */
export function verifySignatures({ address, sealed }: Claim, lookUp: LookUp): SignatureVerifier {
  const domain = address.slice(address.lastIndexOf("@") + 1);
  const asking = boundedResolver(lookUp);
  const { resolver } = asking;
  const verifier = verifierFor(domain, { resolver, isSealed: sealed !== null });
  const write = (slice: Uint8Array) => settled((done) => verifier.write(slice, done));
  const slices = createSlices(write);

  async function countsFor({ signingDomain = "", status }: SignatureResult): Promise<Verdict> {
    if (status.result === "temperror") return "temporary";
    if (status.result !== "pass" || status.testing === true) return "fail";
    const signer = signingDomain.toLowerCase();
    if (signer === domain) return "pass";
    if (!isAligned(signer, domain) || !status.aligned) return "fail";
    // Its policy says whether a domain above may sign for it.
    const { headerFrom, fromFields } = verifier;
    const policy = await dmarc({ headerFrom, fromFields, spfDomains: [], dkimDomains: [signer], resolver, strict: true });
    if (policy === false) return "fail";
    const { result } = policy.status;
    return result === "temperror" ? "temporary" : result === "pass" || result === "none" ? "pass" : "fail";
  }

  /** A set that stands on top of a mail is the platform's where its seal holds, and all seals below: anybody can write one. */
  async function sealVerdict(): Promise<Verdict> {
    if (sealed === null || verifier.arc.lastEntry?.i !== sealed) return "fail";
    const { status } = await arc(verifier.arc, { resolver, minBitLength: KEY_BITS, strict: true });
    if (status.result === "pass") return "pass";
    return asking.isAway() ? "temporary" : "fail";
  }

  return {
    follow: slices.add,
    async conclude() {
      await slices.end();
      await settled((done) => verifier.end(done));
      const { headerFrom, fromFields, results } = verifier;
      if (fromFields !== 1 || headerFrom.length !== 1 || headerFrom[0]?.toLowerCase() !== address)
        return { result: "fail", seal: "fail", reasons: ["another author"] };
      const signed = results.filter(({ signingDomain = "" }) => isAligned(signingDomain.toLowerCase(), domain));
      const found: Verdict[] = [];
      for (const one of signed) found.push(await countsFor(one));
      if (found.includes("pass")) return { result: "pass", seal: "fail", reasons: [] };
      const result = found.includes("temporary") && asking.isAway() ? "temporary" : "fail";
      return { result, seal: await sealVerdict(), reasons: signed.map(reasonOf) };
    },
  };
}

function verifierFor(domain: string, { resolver, isSealed }: { resolver: Resolver; isSealed: boolean }): DkimVerifier {
  const verifier = new DkimVerifier({ resolver, strict: true, minBitLength: KEY_BITS });
  // Every failure comes back to whoever wrote.
  verifier.on("error", () => undefined);
  const prepare = verifier.prepareSignature.bind(verifier);
  let seen = 0;
  verifier.prepareSignature = (signature) => {
    prepare(signature);
    // The platform knows RSA's algorithms by these names alone.
    signature.algorithm = signature.algorithm.toUpperCase();
    if (signature.parsed?.["l"] !== undefined) signature.skip ??= "of a beginning";
    if (signature.type === "ARC") {
      if (!isSealed) signature.skip ??= "not asked for";
    } else if (!isAligned(signature.signingDomain.toLowerCase(), domain)) signature.skip ??= "not of the sender";
    else if ((seen += 1) > SIGNATURES) signature.skip ??= "one too many";
  };
  return verifier;
}

/** DNS as mailauth asks it. */
function boundedResolver(lookUp: LookUp): { resolver: Resolver; isAway(): boolean } {
  let asked = 0;
  let isAway = false;
  return {
    resolver: async (name, type) => {
      if (type !== "TXT" && type !== "A" && type !== "CNAME") throw new Error(`Nobody asks for ${type}.`);
      if ((asked += 1) > LOOK_UPS) throw new Error("A mail makes no more look-ups.");
      const { exists, records } = await lookUp(name, type).catch((cause: unknown) => {
        isAway = true;
        throw cause;
      });
      if (records.length === 0) throw Object.assign(new Error("There is no such record."), { code: exists ? "ENODATA" : "ENOTFOUND" });
      // Of several texts at a key's name only the first is read.
      return records.toSorted((one, other) => Number(isKey(other)) - Number(isKey(one))).map((text) => [text]);
    },
    // Who makes one ask for more is not asked to come again.
    isAway: () => isAway && asked <= LOOK_UPS,
  };
}

function isKey(text: string): boolean {
  return /(?:^|;)\s*p\s*=/.test(text);
}

/** Why one does not count. Comments are mailauth's own sentences, but for failures, which may quote names. */
function reasonOf({ status: { result, comment, testing } }: SignatureResult): string {
  if (result === "pass") return testing === true ? "testing" : "not for this sender";
  return comment !== undefined && result !== "temperror" && /^[a-z0-9= ]{1,60}$/i.test(comment) ? `${result}: ${comment}` : result;
}

const LF = 10;
const CR = 13;

/** Gathers what comes in to slices in which every line ends with CR and LF, as a signature has them. */
function createSlices(write: (slice: Uint8Array) => Promise<void>): { add(piece: Uint8Array): Promise<void>; end(): Promise<void> } {
  let slice = new Uint8Array(FIRST_SLICE_BYTES);
  let length = 0;
  let last = 0;

  async function makeRoom(): Promise<void> {
    const full = slice;
    // What was written may still be looked at.
    slice = new Uint8Array(Math.min(full.length * 4, SLICE_BYTES));
    if (full.length < SLICE_BYTES) return slice.set(full);
    await write(full.subarray(0, length));
    length = 0;
  }

  return {
    async add(piece) {
      for (const byte of piece) {
        if (length > slice.length - 2) await makeRoom();
        if (byte === LF && last !== CR) slice[length++] = CR;
        slice[length++] = byte;
        last = byte;
      }
    },
    end: () => write(slice.subarray(0, length)),
  };
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
