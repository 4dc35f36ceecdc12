import * as z from "zod/mini";
import type { Env } from "#worker/platform/env.ts";
import { randomToken } from "#worker/platform/random.ts";
import { readState, signState } from "./signed-state.ts";

/** How long someone may take at Google's pages, in seconds. */
export const TRANSACTION_S = 10 * 60;

const Transaction = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnUrl: z.string(),
  /** Whether a failure is shown on the page that it was started from. */
  isFromPage: z.boolean(),
  /** The code of the invite that they came by. */
  invite: z.nullable(z.string()),
  /** The account whose owner proves again who they are; absent for a sign-in. */
  again: z.nullish(z.string()),
  /** Whether nothing is to stay on the device. */
  keepsNothing: z.nullish(z.boolean()),
});

/** What a sign-in under way must be met with again; kept by the browser alone, signed. */
export type Transaction = z.infer<typeof Transaction>;

/** A new transaction: state, nonce and PKCE verifier of 256 random bits each. */
export function newTransaction(place: Omit<Transaction, "state" | "nonce" | "verifier">): Transaction {
  return { state: randomToken(), nonce: randomToken(), verifier: randomToken(), ...place };
}

/** The transaction as its cookie's value, valid for ten minutes. */
export async function sealTransaction(env: Env, transaction: Transaction): Promise<string> {
  return signState(env, "google-transaction", { state: transaction, seconds: TRANSACTION_S });
}

/** The transaction of a cookie; null when it is past, changed or not ours. */
export async function openTransaction(env: Env, sealed: string): Promise<Transaction | null> {
  return readState(env, "google-transaction", Transaction, sealed);
}
