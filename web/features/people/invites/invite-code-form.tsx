import { useState } from "react";
import { useNavigate } from "react-router";
import { INVITE_PARAMETER } from "#shared/sign-in/arrivals.ts";
import { readInviteCode } from "#shared/sign-in/invite-code.ts";
import { Button } from "#web/ui/button.tsx";
import { TextField } from "#web/ui/text-field.tsx";

/** Where a plan is missing: the code of an invite opens what its link would. */
export function InviteCodeForm({ onOpen }: { onOpen?: () => void }) {
  const navigate = useNavigate();
  const [code, setCode] = useState("");
  const [isRefused, setRefused] = useState(false);
  const submit = () => {
    const plain = readInviteCode(code);
    setRefused(plain === null);
    if (plain === null) return;
    onOpen?.();
    void navigate({ search: `?${INVITE_PARAMETER}=${plain}` });
  };
  return (
    <form
      noValidate
      aria-label="Invite code"
      className="mt-16"
      onSubmit={(event) => {
        event.preventDefault();
        // Where a dialog of another form is drawn, that one is not meant.
        event.stopPropagation();
        submit();
      }}
    >
      <div className="flex items-start gap-8">
        <TextField
          label="Have an invite with a plan?"
          placeholder="XXXX-XXXX-XXXX"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          value={code}
          error={isRefused ? "A code has 12 letters and digits, e.g. KITA-2F7H-9MRD." : null}
          onChange={(event) => {
            setCode(event.target.value);
            setRefused(false);
          }}
          className="min-w-0 flex-1"
        />
        <Button type="submit" className="mt-26">
          Open
        </Button>
      </div>
    </form>
  );
}
