import type { Features } from "#shared/entities/user.ts";

/** What signing in tells people without an account. */
export function newcomerWords(features: Features | null): string {
  return features?.signUpByInvite ? "New here? The code of an invite makes your account." : "New here? The same steps make your account.";
}
