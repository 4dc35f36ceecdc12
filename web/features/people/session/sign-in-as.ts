import * as z from "zod/mini";

const state = z.looseObject({ email: z.string() });

/** What goes along to the login page, unseen in its address: the one that is to sign in. */
export function signInAs(email: string): { email: string } {
  return { email };
}

/** The address that came along to the login page; empty where none did. */
export function addressToSignIn(held: unknown): string {
  const parsed = state.safeParse(held);
  return parsed.success ? parsed.data.email : "";
}
