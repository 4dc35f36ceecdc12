import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { LedgerRow } from "#web/ui/ledger-row.tsx";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";

/** The way to delete the account. */
export default function DeleteRow() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <LedgerRow label="Delete account" description="Your chats, files and everything else of yours, for good.">
      <Button size="sm" onClick={() => setIsOpen(true)}>
        Delete
      </Button>
      <DeleteAccountDialog open={isOpen} onClose={() => setIsOpen(false)} />
    </LedgerRow>
  );
}
