import type { Features } from "#shared/entities/user.ts";
import { isInvitedToTeam } from "./arrived-invite.ts";

/** What signing in shows people without an account, on the way back to `returnUrl`. */
export function newcomerText(features: Features | null, returnUrl: string): string {
  if (!features?.signUpByInvite) return "New here? The same steps make your account.";
  return isInvitedToTeam(returnUrl)
    ? "New here? The invited address makes your account."
    : "New here? The code of an invite makes your account.";
}
