import { Check, Copy, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ApiKey, ApiScope } from "#shared/entities/library/api-key.ts";
import { API_KEY_BUDGET_MAX, API_KEY_NAME_LENGTH, API_KEYS_MAX } from "#shared/limits.ts";
import { SubPane } from "#web/features/people/settings/sub-pane.tsx";
import { Button } from "#web/ui/button.tsx";
import { ConfirmDialog } from "#web/ui/dialog/confirm-dialog.tsx";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { relativeTime } from "#web/lib/relative-time.ts";
import { useMinute } from "#web/lib/use-minute.ts";
import { fullTime } from "#web/lib/format.ts";
import { APP_NAME } from "#shared/app.ts";
import { createApiKey, deleteApiKey, listApiKeys, updateApiKey } from "#shared/contracts/account/api-keys.ts";
import { useCopy } from "#web/lib/use-copy.ts";
import { cx } from "#web/ui/cx.ts";
import { focusOnMount } from "#web/ui/focus.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";
import { call } from "#web/lib/api.ts";
import { watched } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";

const dollarFormat = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

type KeyRowProps = { apiKey: ApiKey; onEdit: () => void; onRevoke: () => void };

/** One key: what uses it, what it may do, what it spent, and when it was used last. */
function KeyRow({ apiKey: { name, hint, scopes, budget, spent, last_used_at: used }, onEdit, onRevoke }: KeyRowProps) {
  const now = useMinute(used !== null);
  const money =
    budget === null
      ? `${dollarFormat.format(spent)} this month`
      : `${dollarFormat.format(spent)} of ${dollarFormat.format(budget)} this month`;
  return (
    <li className="flex flex-wrap items-center gap-x-8 gap-y-4 border-b border-line py-10">
      <div className="min-w-200 flex-1">
        <p className="text-14 break-words text-ink">
          {name} <span className="font-mono text-12 text-ink3">…{hint}</span>
        </p>
        <p className="text-13 text-ink2">
          <span className="inline-block">{scopesLine(scopes)} ·</span> <span className="inline-block">{money} ·</span>{" "}
          {used === null ? (
            <span className="inline-block">Never used</span>
          ) : (
            <time dateTime={used} title={fullTime(used)} className="inline-block">
              {`Last used ${relativeTime(used, now)}`}
            </time>
          )}
        </p>
      </div>
      <div className="-mr-12 flex max-[767px]:-ml-12">
        <Button size="sm" variant="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="quiet" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      </div>
    </li>
  );
}

type Shown =
  | { kind: "list" }
  | { kind: "new"; id: string }
  | { kind: "edit"; apiKey: ApiKey }
  | { kind: "secret"; apiKey: ApiKey; secret: string };

const LIST: Shown = { kind: "list" };

/** The keys that other programs reach this account with: made, shown once, changed and revoked. */
export default function ApiKeysPane() {
  const { data, isError, refetch } = useApiKeys();
  const [shown, setShown] = useState<Shown>(LIST);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const create = useCreateKey(({ key, secret }) => setShown(secret === null ? LIST : { kind: "secret", apiKey: key, secret }));
  const revoke = useRevokeKey(() => {
    toast({ title: "The key was revoked." });
    setRevoking(null);
  });
  const apiKeys = data?.keys ?? [];
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
          <NewSecret name={shown.apiKey.name} scopes={shown.apiKey.scopes} secret={shown.secret} onDone={() => setShown(LIST)} />
        )}
        {shown.kind === "edit" && <EditKey apiKey={shown.apiKey} onDone={() => setShown(LIST)} />}
        {shown.kind === "list" && (
          <>
            <Button
              variant="primary"
              disabled={apiKeys.length >= API_KEYS_MAX}
              onClick={() => {
                create.reset();
                setShown({ kind: "new", id: crypto.randomUUID() });
              }}
            >
              <Plus aria-hidden className="size-16" />
              New key
            </Button>
            {apiKeys.length >= API_KEYS_MAX && <p className="mt-8 text-13 text-ink2">{`An account can have ${API_KEYS_MAX} keys.`}</p>}
            {isError ? (
              <div className="mt-16 flex flex-wrap items-center gap-x-12 gap-y-4 text-13 text-ink2">
                <p>Your keys could not be loaded.</p>
                <TryAgain onClick={() => void refetch()} />
              </div>
            ) : data === undefined ? (
              <RowSkeletons label="Loading your keys" rows={2} className="h-64" />
            ) : apiKeys.length === 0 ? (
              <p className="mt-16 text-14 text-ink2">No program has a key.</p>
            ) : (
              <ul aria-label="Your keys" className="mt-16 border-t border-line">
                {apiKeys.map((key) => (
                  <KeyRow
                    key={key.id}
                    apiKey={key}
                    onEdit={() => setShown({ kind: "edit", apiKey: key })}
                    onRevoke={() => setRevoking(key)}
                  />
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

function EditKey({ apiKey, onDone }: { apiKey: ApiKey; onDone: () => void }) {
  const update = useUpdateKey(apiKey.id, onDone);
  return (
    <KeyForm apiKey={apiKey} busy={update.isPending} error={update.error} onSave={(fields) => update.mutate(fields)} onCancel={onDone} />
  );
}

type NewSecretProps = { name: string; secret: string; scopes: readonly ApiScope[]; onDone: () => void };

/** A new key's secret, which is shown this once, and how a program is set up with it. */
function NewSecret({ name, secret, scopes, onDone }: NewSecretProps) {
  const isForTools = scopes.some((scope) => scope !== "models");
  const address = `${location.origin}/mcp`;
  const servers = { [APP_NAME.toLowerCase()]: { type: "http", url: address, headers: { Authorization: `Bearer ${secret}` } } };
  return (
    <section aria-labelledby="new-secret" className="rounded-12 border border-line bg-s1 p-16">
      <h4 id="new-secret" className="text-15 font-medium text-ink">{`The key of ${name}`}</h4>
      <p className="mt-4 text-14 text-pretty text-ink2">
        Copy it now: it is shown this once. Whoever has it reaches your account as far as the key allows.
      </p>
      <Copied label="Copy key" what="Key" text={secret} />
      {isForTools && (
        <>
          <h5 className="mt-16 text-13 font-medium text-ink2">For a program that speaks MCP</h5>
          <p className="mt-2 text-14 text-pretty text-ink2">Streamable HTTP, with the key as a bearer token. Most take this as it is:</p>
          <Copied label="Copy configuration" what="Configuration" text={JSON.stringify({ mcpServers: servers }, null, 2)} />
        </>
      )}
      {scopes.includes("models") && (
        <>
          <h5 className="mt-16 text-13 font-medium text-ink2">For a program made for OpenAI's API</h5>
          <p className="mt-2 text-14 text-pretty text-ink2">Chat completions and models, with the key as its API key. Its base URL:</p>
          <Copied label="Copy base URL" what="Base URL" text={`${location.origin}/v1`} />
        </>
      )}
      <div className="mt-16 flex justify-end">
        <Button onClick={onDone}>Done</Button>
      </div>
    </section>
  );
}

function Copied({ label, what, text }: { label: string; what: string; text: string }) {
  const { state, copy } = useCopy();
  const hasLines = text.includes("\n");
  return (
    <div className={cx("mt-8 flex items-start justify-end gap-8 rounded-8 bg-s3 py-8 pr-8 pl-12", hasLines && "max-[767px]:flex-wrap")}>
      <pre
        aria-label={what}
        // Long and scrolled sideways: whoever has no mouse must reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className={cx("min-w-0 flex-1 overflow-x-auto py-6 font-mono text-13 text-ink", hasLines && "max-[767px]:basis-full")}
      >
        {text}
      </pre>
      <Button size="sm" variant="quiet" aria-label={label} onClick={() => copy(text)}>
        {state === "copied" ? <Check aria-hidden className="size-16" /> : <Copy aria-hidden className="size-16" />}
        {state === "copied" ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}

type KeyFormProps = {
  /** The key to be changed; a new one without. */
  apiKey?: ApiKey;
  busy: boolean;
  error: Error | null;
  onSave: (fields: KeyFields) => void;
  onCancel: () => void;
};

/** A key's name, what it may do and what it may spend. */
function KeyForm({ apiKey, busy, error, onSave, onCancel }: KeyFormProps) {
  const [name, setName] = useState(apiKey?.name ?? "");
  const [scopes, setScopes] = useState(apiKey?.scopes ?? []);
  const [budget, setBudget] = useState(apiKey?.budget?.toString() ?? "");
  const dollars = parseBudget(budget);
  const problem = dollars === undefined ? `Give an amount from $0.01 to $${API_KEY_BUDGET_MAX.toLocaleString("en")}, or nothing.` : null;
  const canSave = name.trim() !== "" && scopes.length > 0 && dollars !== undefined;
  return (
    <form
      noValidate
      className="rounded-12 border border-line bg-s1 p-16"
      onSubmit={(event) => {
        event.preventDefault();
        if (canSave && !busy) onSave({ name, scopes, budget: dollars });
      }}
    >
      <TextField
        label="Name"
        name="key-name"
        ref={focusOnMount}
        autoComplete="off"
        placeholder="What will use it, e.g. Code editor"
        maxLength={API_KEY_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <fieldset className="mt-16">
        <legend className="text-13 font-medium text-ink2">It may</legend>
        {SCOPES.map(({ scope, label }) => (
          <Checkbox
            key={scope}
            label={label}
            checked={scopes.includes(scope)}
            onChange={({ target }) => setScopes(target.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))}
          />
        ))}
      </fieldset>
      <TextField
        label="Budget a month, in dollars"
        name="key-budget"
        inputMode="decimal"
        autoComplete="off"
        placeholder="No limit but your credits"
        className="mt-8"
        value={budget}
        error={problem ?? undefined}
        onChange={(event) => setBudget(event.target.value)}
      />
      {error !== null && <Problem>{error.message}</Problem>}
      <div className="mt-16 flex justify-end gap-8">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" busy={busy} disabled={!canSave}>
          {apiKey ? "Save" : "Create key"}
        </Button>
      </div>
    </form>
  );
}

function Problem({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mt-12 text-13 text-danger">
      {children}
    </p>
  );
}

/** A budget as it was typed: dollars, null for an empty field, undefined for what is no amount. */
function parseBudget(text: string): number | null | undefined {
  const amount = text.trim().replace(/^\$\s*/, "");
  if (amount === "") return null;
  if (!/^\d{1,6}(?:[.,]\d{1,2})?$/.test(amount)) return undefined;
  const dollars = Number(amount.replace(",", "."));
  return dollars >= 0.01 && dollars <= API_KEY_BUDGET_MAX ? dollars : undefined;
}

/** What a key may do, in people's words and their order. */
const SCOPES: readonly { scope: ApiScope; label: string; short: string }[] = [
  { scope: "chats", label: "Search and read chats", short: "chats" },
  { scope: "ask", label: "Ask, which costs credits", short: "asking" },
  { scope: "artifacts", label: "List and read artifacts", short: "artifacts" },
  { scope: "prompts", label: "List and read prompts", short: "prompts" },
  { scope: "memory", label: "Save facts to memory", short: "memory" },
  { scope: "models", label: "Ask models as OpenAI's API does, which costs credits", short: "models" },
];

/** What a key may do, in one line. */
function scopesLine(scopes: readonly ApiScope[]): string {
  if (scopes.length === SCOPES.length) return "Everything";
  const names = SCOPES.filter(({ scope }) => scopes.includes(scope)).map(({ short }) => short);
  const line = names.join(", ");
  return line.charAt(0).toUpperCase() + line.slice(1);
}

/** What a key is made with, or changed to. */
type KeyFields = { name: string; scopes: ApiScope[]; budget: number | null };

/** The person's keys: other programs use them meanwhile. */
function useApiKeys() {
  return useQuery({ queryKey: keys.apiKeys, queryFn: ({ signal }) => call(listApiKeys, {}, { signal }), ...watched });
}

/** Makes a key; `id` is the form's, so a second press makes no second one. */
function useCreateKey(onCreated: (made: { key: ApiKey; secret: string | null }) => void) {
  return useMutation({
    mutationFn: (body: KeyFields & { id: string }) => call(createApiKey, { body }),
    onSuccess: onCreated,
    onSettled: refresh,
  });
}

/** Changes a key. */
function useUpdateKey(id: string, onUpdated: () => void) {
  return useMutation({
    mutationFn: (body: KeyFields) => call(updateApiKey, { params: { id }, body }),
    onSuccess: onUpdated,
    onSettled: refresh,
  });
}

/** Revokes a key; one that is gone already is as gone as it should be. */
function useRevokeKey(onRevoked: () => void) {
  return useMutation({
    mutationFn: (id: string) => call(deleteApiKey, { params: { id } }),
    onSuccess: onRevoked,
    onSettled: refresh,
  });
}

function refresh(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.apiKeys });
}
