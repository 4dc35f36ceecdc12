/** What of mailauth is used, which has no types of its own for it: its version is pinned for that. */
declare module "mailauth/lib/dmarc" {
  /** Rejects with a `code` of ENOTFOUND or ENODATA where there is no such record; any other failure counts as temporary. */
  export type Resolver = (name: string, type: string) => Promise<string[][]>;
  type Asked = {
    headerFrom: string[];
    fromFields: number;
    spfDomains: string[];
    dkimDomains: string[];
    resolver: Resolver;
    strict: boolean;
  };
  /** False where the From field names no domain, or more than one. */
  export function dmarc(asked: Asked): Promise<{ status: { result: "pass" | "fail" | "none" | "neutral" | "temperror" } } | false>;
}

declare module "mailauth/lib/arc" {
  import type { PreparedSignature } from "mailauth/lib/dkim/dkim-verifier";
  import type { Resolver } from "mailauth/lib/dmarc";

  /** What a verifier found of a mail's ARC sets; `lastEntry` is the one with the highest number. */
  export type ArcSets = { lastEntry?: { i: number; "arc-message-signature": PreparedSignature } };
  /** Every failure is final to it, of DNS as well. */
  export function arc(
    sets: ArcSets,
    options: { resolver: Resolver; minBitLength: number; strict: boolean },
  ): Promise<{ status: { result: "pass" | "fail" | "none" } }>;
}

declare module "mailauth/lib/dkim/dkim-verifier" {
  import type { ArcSets } from "mailauth/lib/arc";
  import type { Resolver } from "mailauth/lib/dmarc";

  /** A signature as it stands in a header, before it is verified. */
  export type PreparedSignature = {
    type: "DKIM" | "ARC";
    signingDomain: string;
    selector: string;
    algorithm: string;
    hashAlgo?: string;
    /** Its `t=`; null without one. */
    timestamp?: Date | null;
    parsed?: Record<string, unknown>;
    /** Why it is not verified at all. */
    skip?: string;
  };
  export type SignatureResult = {
    signingDomain?: string;
    /** `aligned` is the From domain where both belong to one registered domain; `testing` where the key says so. */
    status: { result: string; comment?: string; aligned?: string | false; testing?: boolean };
  };
  /** A stream that a mail's source is written to; its results are there once it has ended. */
  export class DkimVerifier {
    constructor(options: { resolver: Resolver; strict: boolean; minBitLength: number });
    prepareSignature: (signature: PreparedSignature) => void;
    results: SignatureResult[];
    arc: ArcSets;
    headerFrom: string[];
    fromFields: number;
    on(event: "error", listener: () => void): void;
    write(piece: Uint8Array, done: (error?: Error | null) => void): void;
    end(done: (error?: Error | null) => void): void;
  }
}
