import { SignJWT, errors, jwtVerify } from "jose";
import * as z from "zod/mini";
import { configOf, type Env } from "../env.ts";
import { signingKey } from "./keys.ts";
import { randomToken } from "./random.ts";

/** How long someone may take at Google's pages, in seconds. */
export const TRANSACTION_S = 10 * 60;

const Transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnUrl: z.string(),
  /** Whether a failure is shown on the page that it was started from. */
  isFromPage: z.boolean(),
  /** The code of the invite that they came by; absent in cookies of the version before. */
  invite: z.nullish(z.string()),
});

/** What a sign-in under way must be met with again; kept by the browser alone, signed. */
export type Transaction = z.infer<typeof Transaction>;

/** A new transaction: state, nonce and PKCE verifier of 256 random bits each. */
export function newTransaction(place: Pick<Transaction, "returnUrl" | "isFromPage" | "invite">): Transaction {
  return { state: randomToken(), nonce: randomToken(), verifier: randomToken(), ...place };
}

/** The transaction as its cookie's value, valid for ten minutes. */
export async function sealTransaction(env: Env, transaction: Transaction): Promise<string> {
  return new SignJWT({ ...transaction })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime(new Date(Date.now() + TRANSACTION_S * 1000))
    .sign(await signingKey(configOf(env), "google-transaction"));
}

/** The transaction of a cookie; null when it is past, changed or not ours. */
export async function openTransaction(env: Env, sealed: string): Promise<Transaction | null> {
  try {
    const { payload } = await jwtVerify(sealed, await signingKey(configOf(env), "google-transaction"), {
      algorithms: ["HS256"],
      requiredClaims: ["exp"],
    });
    const transaction = Transaction.safeParse(payload);
    return transaction.success ? transaction.data : null;
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}
