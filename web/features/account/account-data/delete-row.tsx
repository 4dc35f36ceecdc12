import { useId, useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { LedgerRow } from "#web/ui/ledger.tsx";
import { useMutation, useQuery } from "@tanstack/react-query";
import { deleteAccount, type DeletionPreview, previewDeletion } from "#shared/contracts/account/deletion.ts";
import { leaveForGood } from "#web/features/people/session/enter-and-leave.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { deletionBlocker, deletionLines } from "./deletion-messages.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

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

type DeleteAccountDialogProps = { open: boolean; onClose: () => void };

/** Says what goes and what stays, and deletes the account once its address is typed and its owner signed in again. */
function DeleteAccountDialog({ open, onClose }: DeleteAccountDialogProps) {
  const { user } = useSession();
  const form = useId();
  const email = user?.email ?? "";
  const [typed, setTyped] = useState("");
  const preview = useQuery({
    queryKey: ["account-deletion"],
    queryFn: ({ signal }) => call(previewDeletion, {}, { signal }),
    enabled: open,
    staleTime: 0,
  });
  const remove = useMutation({
    mutationFn: () => leaveForGood(() => call(deleteAccount, { body: { email: typed } }), { to: "/goodbye" }),
  });
  const close = () => {
    setTyped("");
    remove.reset();
    onClose();
  };
  const refused = preview.data ? deletionBlocker(preview.data) : null;
  const isTyped = typed.trim().toLowerCase() === email && email !== "";
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title="Delete your account?"
      width={480}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button
            type="submit"
            form={form}
            variant="danger"
            busy={remove.isPending || remove.isSuccess}
            disabled={!isTyped || preview.data === undefined || refused !== null}
          >
            Delete account
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="space-y-16 text-14 text-ink2"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !remove.isPending && refused === null) remove.mutate();
        }}
      >
        {preview.isError ? (
          <div role="alert" className="flex flex-wrap items-center gap-x-12 gap-y-8 text-danger">
            <p>What your account holds could not be loaded. {preview.error.message}</p>
            <TryAgain busy={preview.isFetching} onClick={() => void preview.refetch()} />
          </div>
        ) : (
          <WhatGoes preview={preview.data} />
        )}
        <p>
          What you wrote in chats of others and made for teams stays there without your name, and so do copies that others made of your
          chats. Nothing can be brought back:{" "}
          <button type="button" className="font-medium text-accent underline-offset-2 hover:underline" onClick={close}>
            export everything first
          </button>
          .
        </p>
        {refused === null ? (
          <TextField
            label={`Type ${email} to confirm`}
            name="confirm-email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            error={remove.error?.message}
            onChange={(event) => setTyped(event.target.value)}
          />
        ) : (
          <p role="alert" className="text-danger">
            {refused}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function WhatGoes({ preview }: { preview: DeletionPreview | undefined }) {
  if (!preview) return <Skeleton className="h-96 w-full" />;
  return (
    <div>
      <p className="text-ink">You are signed out everywhere at once, and within a day these are gone for good:</p>
      <ul className="mt-8 list-disc space-y-2 pl-20">
        {deletionLines(preview).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {preview.readers > 0 && <p className="mt-8">Readers of your chats lose them and are told why.</p>}
    </div>
  );
}
