/** A mail's DKIM signatures, its domain's DMARC policy and the platform's seals, verified by mailauth: loaded with the first mail that has any. */
import { arc } from "mailauth/lib/arc";
import { DkimVerifier, type PreparedSignature, type SignatureResult } from "mailauth/lib/dkim/dkim-verifier";
import { dmarc, type Resolver } from "mailauth/lib/dmarc";
import type { DnsRecords } from "#worker/platform/clients/dns.ts";
import { isAligned } from "./authentication.ts";

/** Signatures of the sender's domain that are verified, from the top, and names that are asked for: for the sender, and for the seals. */
const SIGNATURES = 8;
const LOOK_UPS = 8;
/** The platform seals a mail as it hands it on, and anew each time its sender's server tries again: what is older was sent on by somebody. */
const SEAL_AGE_MS = 24 * 60 * 60 * 1000;
/** Mail beyond it is not verified: mailauth keeps a line whole and reads it anew with each slice, and takes microseconds for every line. */
const LINE_BYTES = 64 * 1024;
/** 25 MB of base64 have 423,000 of 60 characters. */
const LINES = 500_000;
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
  const sender = boundedResolver(lookUp);
  const seals = boundedResolver(lookUp);
  const { resolver } = sender;
  const verifier = verifierFor(domain, { sender: resolver, seals: sealed === null ? null : seals.resolver });
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
    const { lastEntry } = verifier.arc;
    if (sealed === null || lastEntry?.i !== sealed || !isOfNow(lastEntry["arc-message-signature"])) return "fail";
    const { status } = await arc(verifier.arc, { resolver: seals.resolver, minBitLength: KEY_BITS, strict: true });
    if (status.result === "pass") return "pass";
    return seals.isAway() ? "temporary" : "fail";
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
      const result = found.includes("temporary") && sender.isAway() ? "temporary" : "fail";
      return { result, seal: await sealVerdict(), reasons: signed.map(reasonOf) };
    },
  };
}

/** By its signature's `t=`, which the seal covers: the platform's seals have none of their own. */
function isOfNow({ timestamp }: PreparedSignature): boolean {
  return timestamp != null && Math.abs(Date.now() - timestamp.getTime()) <= SEAL_AGE_MS;
}

function verifierFor(domain: string, { sender, seals }: { sender: Resolver; seals: Resolver | null }): DkimVerifier {
  let sealKey: string | null = null;
  const resolver: Resolver = (name, type) => (seals !== null && name === sealKey ? seals : sender)(name, type);
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
    // It would be refused as well, after all of the body was hashed for it.
    if (signature.hashAlgo === "sha1") signature.skip ??= "weak algorithm";
    if (signature.type === "ARC") {
      sealKey = `${signature.selector}._domainkey.${signature.signingDomain}`;
      if (seals === null) signature.skip ??= "not asked for";
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

/** Gathers what comes in to slices in which every line ends with CR and LF, as a signature has them. Throws where lines are too long, or too many. */
function createSlices(write: (slice: Uint8Array) => Promise<void>): { add(piece: Uint8Array): Promise<void>; end(): Promise<void> } {
  let slice = new Uint8Array(FIRST_SLICE_BYTES);
  let length = 0;
  let last = 0;
  let lines = 0;
  let lineLength = 0;

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
        lineLength += 1;
        if (lineLength > LINE_BYTES || lines > LINES) throw new Error("A mail with such long lines, or as many, is not verified.");
        if (byte !== LF) continue;
        lines += 1;
        lineLength = 0;
      }
    },
    end: () => write(slice.subarray(0, length)),
  };
}

function settled(start: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => start((error) => (error ? reject(error) : resolve())));
}
