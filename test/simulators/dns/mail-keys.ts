import { generateKeyPairSync } from "node:crypto";
import type { MailKeys } from "../smtp/sign-mail.ts";

type Keys = { secret: MailKeys; rsa: string; ed25519: string };

let made: Keys | null = null;

/** The keys of all mail domains that exist only here, made anew by every process: `secret` signs, the others are what DNS shows. */
export function mailKeys(): Keys {
  if (made) return made;
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const ed25519 = generateKeyPairSync("ed25519");
  const secretOf = (key: typeof rsa.privateKey) => key.export({ type: "pkcs8", format: "der" }).toString("base64");
  made = {
    secret: { rsa: secretOf(rsa.privateKey), ed25519: secretOf(ed25519.privateKey) },
    rsa: rsa.publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    // The bare key, as RFC 8463 has it.
    ed25519: ed25519.publicKey.export({ type: "spki", format: "der" }).subarray(-32).toString("base64"),
  };
  return made;
}
