import { ApiError } from "#web/lib/api.ts";
import { TextField } from "#web/ui/text-field.tsx";

type InviteFieldProps = {
  invite: string;
  onInvite: (invite: string) => void;
  error?: string | null;
  className?: string;
};

/** The code of the invite that a new account needs. */
export function InviteField({ invite, onInvite, error = null, className }: InviteFieldProps) {
  return (
    <TextField
      label="Invite code"
      name="invite"
      size="touch"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      placeholder="XXXX-XXXX-XXXX"
      hint="Only a new account needs one."
      value={invite}
      error={error}
      onChange={(event) => onInvite(event.target.value)}
      className={className}
    />
  );
}

/** True where signing in failed without an invite: what proved the address still holds, and can be sent again with a code. */
export function lacksInvite(error: Error | null): boolean {
  return error instanceof ApiError && (error.code === "INVITE_REQUIRED" || error.code === "INVITE_INVALID");
}
