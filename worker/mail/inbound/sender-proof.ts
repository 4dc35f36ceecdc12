/** Whether a mail is from the address in its From: found out at the door, while its source passes on its way to storage. */
import type { MailAuthentication } from "#shared/entities/mail.ts";
import { lookUpKnown } from "#worker/platform/clients/dns.ts";
import type { Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { log } from "#worker/platform/log.ts";
import type { Envelope } from "./envelope.ts";
import type { SignatureProof } from "./signatures.ts";

const verifying = loadOnce(() => import("./signatures.ts"));

const UNANSWERED = "DNS says nothing about this mail's sender for now";

/** `follow` takes the whole source, chunk by chunk; `conclude` throws where the sender should try again. */
export type SenderProof = { follow(piece: Uint8Array): Promise<void>; conclude(): Promise<MailAuthentication> };

/** False for a mail that is nobody's word, whatever its body. */
export function mayBeProven({ isSigned, platform }: Envelope): boolean {
  return isSigned || platform.result === "pass";
}

/** Tells an operator what the platform wrote above a mail whose sender nothing proves: that this is as expected is seen on a real account alone. */
export function noteUnproven({ shape }: Envelope, signed: SignatureProof | null = null): void {
  const { result = null, seal = null, reasons = [] } = signed ?? {};
  log.event("nothing proves a mail's sender", { top: shape, result, seal, signatures: reasons });
}

/** A signature of the From domain counts first; the platform's results are for mail without one that holds, as SPF is known to it alone. */
export async function startProof(env: Env, envelope: Envelope): Promise<SenderProof> {
  const { platform, sealed, from } = envelope;
  const { verifySignatures } = mayBeProven(envelope) ? await verifying() : { verifySignatures: null };
  const claim = { address: from.address, sealed: platform.result === "pass" ? sealed : null };
  const signatures = verifySignatures?.(claim, (name, type) => lookUpKnown(env, { name, type }));
  let failure: unknown = null;

  async function follow(piece: Uint8Array): Promise<void> {
    if (failure === null) await signatures?.follow(piece).catch((cause: unknown) => (failure = cause));
  }

  async function concludeSignatures(): Promise<SignatureProof | null> {
    if (!signatures) return null;
    try {
      if (failure !== null) throw failure;
      return await signatures.conclude();
    } catch (cause) {
      // A mail that its verifier cannot read is not proven by it.
      log.warn("a mail's signatures could not be verified", { cause });
      return { result: "fail", seal: "fail", reasons: [] };
    }
  }

  return {
    follow,
    async conclude() {
      const signed = await concludeSignatures();
      if (signed?.result === "pass") return { result: "pass", by: "dkim" };
      if (platform.result === "pass" && signed?.seal === "pass") return platform;
      if (signed) noteUnproven(envelope, signed);
      if (signed?.result === "temporary" || signed?.seal === "temporary") throw new Error(UNANSWERED);
      return signed ? { result: "fail", by: null } : platform;
    },
  };
}
