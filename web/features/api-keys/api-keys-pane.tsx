import { Plus } from "lucide-react";
import { useState } from "react";
import type { ApiKey } from "#shared/entities/library/api-key.ts";
import { API_KEYS_MAX } from "#shared/limits.ts";
import { SubPane } from "#web/features/settings/sub-pane.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { KeyForm } from "./key-form.tsx";
import { KeyRow } from "./key-row.tsx";
import { NewSecret } from "./new-secret.tsx";
import { useApiKeys, useCreateKey, useRevokeKey, useUpdateKey } from "./use-api-keys.ts";

type Shown =
  | { kind: "list" }
  | { kind: "new"; id: string }
  | { kind: "edit"; held: ApiKey }
  | { kind: "secret"; held: ApiKey; secret: string };

const LIST: Shown = { kind: "list" };

/** The keys that other programs reach this account with: made, shown once, changed and revoked. */
export default function ApiKeysPane() {
  const { data, isError, refetch } = useApiKeys();
  const [shown, setShown] = useState<Shown>(LIST);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const create = useCreateKey(({ key, secret }) => setShown(secret === null ? LIST : { kind: "secret", held: key, secret }));
  const revoke = useRevokeKey(() => {
    toast({ title: "The key was revoked." });
    setRevoking(null);
  });
  const held = data?.keys ?? [];
  return (
    <SubPane
      title="API keys"
      about="Other programs, such as a code editor, ask, search and read here by MCP, or ask models as they ask OpenAI's. Each gets a key of its own, so that you can take it back alone."
    >
      <div>
        {shown.kind === "new" && (
          <KeyForm
            busy={create.isPending}
            error={create.error}
            onSave={(fields) => create.mutate({ id: shown.id, ...fields })}
            onCancel={() => setShown(LIST)}
          />
        )}
        {shown.kind === "secret" && (
          <NewSecret name={shown.held.name} scopes={shown.held.scopes} secret={shown.secret} onDone={() => setShown(LIST)} />
        )}
        {shown.kind === "edit" && <EditKey held={shown.held} onDone={() => setShown(LIST)} />}
        {shown.kind === "list" && (
          <>
            <Button
              variant="primary"
              disabled={held.length >= API_KEYS_MAX}
              onClick={() => {
                create.reset();
                setShown({ kind: "new", id: crypto.randomUUID() });
              }}
            >
              <Plus aria-hidden className="size-16" />
              New key
            </Button>
            {held.length >= API_KEYS_MAX && <p className="mt-8 text-13 text-ink2">{`An account can have ${API_KEYS_MAX} keys.`}</p>}
            {isError ? (
              <div className="mt-16 flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2">
                <p>Your keys could not be loaded.</p>
                <Button size="sm" onClick={() => void refetch()}>
                  Try again
                </Button>
              </div>
            ) : data === undefined ? (
              <RowSkeletons label="Loading your keys" rows={2} className="h-64" />
            ) : held.length === 0 ? (
              <p className="mt-16 text-14 text-ink2">No program has a key.</p>
            ) : (
              <ul aria-label="Your keys" className="mt-16 border-t border-line">
                {held.map((key) => (
                  <KeyRow key={key.id} held={key} onEdit={() => setShown({ kind: "edit", held: key })} onRevoke={() => setRevoking(key)} />
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      <ConfirmDialog
        open={revoking !== null}
        onOpenChange={(open) => !open && setRevoking(null)}
        title="Revoke this key?"
        confirm="Revoke"
        busy={revoke.isPending}
        onConfirm={() => revoking !== null && revoke.mutate(revoking.id)}
      >
        <strong className="font-medium break-words text-ink">{revoking?.name}</strong> will no longer reach your account. This cannot be
        undone.
        {revoke.isError && <span className="mt-8 block text-danger">{revoke.error.message}</span>}
      </ConfirmDialog>
    </SubPane>
  );
}

function EditKey({ held, onDone }: { held: ApiKey; onDone: () => void }) {
  const update = useUpdateKey(held.id, onDone);
  return <KeyForm held={held} busy={update.isPending} error={update.error} onSave={(fields) => update.mutate(fields)} onCancel={onDone} />;
}
