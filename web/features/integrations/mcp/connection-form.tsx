import { Check, ChevronRight, CircleAlert, Hand } from "lucide-react";
import { type FormEvent, useId, useLayoutEffect, useRef, useState } from "react";
import type { McpAuth, McpConnection, McpTool } from "#shared/entities/library/mcp-connection.ts";
import { CONTENT_NAME_LENGTH } from "#shared/limits.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { counted } from "#web/lib/format.ts";
import { CHANGED_ELSEWHERE, useDraftForm } from "#web/lib/draft-form.ts";
import { Button } from "#web/ui/button.tsx";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Select } from "#web/ui/menu/select.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import {
  bodyOf,
  type ConnectionDraft,
  connectionDrafts,
  draftOf,
  type Missing,
  missingOf,
  type OpenDraft,
  type SecretDraft,
} from "./connection-draft.ts";
import { useSaveConnection, useTestConnection } from "./use-connections.ts";
import { Badge } from "#web/ui/badge.tsx";
import { finishMcpSignIn } from "#shared/contracts/library/mcp-connections.ts";

const AUTH: readonly { value: McpAuth; label: string }[] = [
  { value: "none", label: "No sign-in" },
  { value: "oauth", label: "Sign in at the server" },
  { value: "bearer", label: "Token" },
  { value: "headers", label: "Own headers" },
];

type ConnectionFormProps = {
  connection: McpConnection | null;
  /** Why its server wants a client that its person registered. */
  needsClient?: string | undefined;
  onClose: () => void;
};

/** Adds a connection, or changes one; a server can be tried before. */
export function ConnectionForm({ connection, needsClient, onClose }: ConnectionFormProps) {
  const { user } = useSession();
  const key = connection?.id ?? `new ${user?.id ?? ""}`;
  const draftForm = useDraftForm(connectionDrafts, key, draftOf(connection));
  const [secrets, setSecrets] = useState<SecretDraft>({ token: "", headers: "", clientSecret: "" });
  const [missing, setMissing] = useState<Missing>(needsClient === undefined ? {} : { client: needsClient });
  const [isWarned, setIsWarned] = useState(false);
  const draft = { ...draftForm.draft, ...secrets };
  const change = (fields: Partial<OpenDraft>) => {
    draftForm.change(fields);
    setMissing({});
  };
  const changeSecret = (fields: Partial<SecretDraft>) => {
    setSecrets((before) => ({ ...before, ...fields }));
    setMissing({});
  };
  const test = useTestConnection();
  const save = useSaveConnection(connection?.id ?? null, key);
  const form = useRef<HTMLFormElement>(null);
  // What it was opened with is gone, and most of it may lie below the edge. With that very change: once nothing has the focus, the dialog takes it.
  useLayoutEffect(() => {
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid]");
    (wrong ?? form.current?.querySelector("input"))?.focus({ preventScroll: true });
    form.current?.scrollIntoView({ block: "nearest" });
  }, []);

  const validate = () => {
    const found = missingOf(draft, connection);
    setMissing(found);
    return Object.keys(found).length === 0;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!validate() || save.isPending) return;
    // To be seen before it is replaced.
    setIsWarned(draftForm.hasClash);
    if (draftForm.hasClash) draftForm.overwrite();
    else save.mutate(bodyOf(draft), { onSuccess: onClose });
  };
  const tryIt = () => {
    const { server_url, auth_type, token, headers } = bodyOf(draft);
    const asked = { server_url, auth_type, ...(token !== undefined && { token }), ...(headers && { headers }) };
    if (validate()) test.mutate({ ...asked, ...(connection && { id: connection.id }) });
  };
  return (
    <form
      ref={form}
      noValidate
      aria-label={connection ? `Edit ${connection.name}` : "Add connection"}
      onSubmit={submit}
      className="my-12 scroll-my-12 rounded-12 bg-s1 p-16"
    >
      <ServerFields draft={draft} missing={missing} onChange={change} />
      <AccessFields draft={draft} connection={connection} missing={missing} onChange={change} onSecret={changeSecret} />
      <Checkbox
        label="I trust this server: tools that it calls read-only need not ask"
        checked={draft.trusted}
        onChange={() => change({ trusted: !draft.trusted })}
      />
      <TestOutcome outcome={test.data} />
      {test.data?.success && <ServerTools tools={test.data.tools} trusted={draft.trusted} />}
      {isWarned && (
        <p role="alert" className="mt-8 text-13 text-danger">
          {CHANGED_ELSEWHERE}
        </p>
      )}
      <div className="mt-12 flex flex-wrap items-center justify-end gap-8">
        {draft.auth !== "oauth" && (
          <Button className="mr-auto" busy={test.isPending} onClick={tryIt}>
            Test
          </Button>
        )}
        <Button
          variant="quiet"
          onClick={() => {
            draftForm.forget();
            onClose();
          }}
        >
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={save.isPending}>
          {connection ? "Save" : "Add connection"}
        </Button>
      </div>
    </form>
  );
}

type ServerFieldsProps = { draft: OpenDraft; missing: Missing; onChange: (fields: Partial<OpenDraft>) => void };

/** What the server is called, and where it is. */
function ServerFields({ draft, missing, onChange }: ServerFieldsProps) {
  return (
    <>
      <div className="grid gap-12 desk:grid-cols-[2fr_3fr]">
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={CONTENT_NAME_LENGTH}
          value={draft.name}
          error={missing.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <TextField
          label="Server URL"
          type="url"
          inputMode="url"
          placeholder="https://"
          value={draft.url}
          error={missing.url}
          hint="Streamable HTTP"
          onChange={(event) => onChange({ url: event.target.value })}
        />
      </div>
      <TextField
        label="Description"
        className="mt-12"
        placeholder="Optional"
        value={draft.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
    </>
  );
}

type AccessFieldsProps = Omit<ServerFieldsProps, "draft"> & {
  draft: ConnectionDraft;
  connection: McpConnection | null;
  onSecret: (fields: Partial<SecretDraft>) => void;
};

/** How one signs in there, with what that takes; secrets that are kept stay unless others are typed. */
function AccessFields({ draft, connection, missing, onChange, onSecret }: AccessFieldsProps) {
  const headersId = useId();
  const keeps = connection !== null && connection.auth_type === draft.auth;
  return (
    <>
      <div className="mt-12 grid items-start gap-12 desk:grid-cols-[2fr_3fr]">
        <div>
          <p className="mb-6 text-13 font-medium text-ink">Access</p>
          <Select label="Access" className="w-full" value={draft.auth} options={AUTH} onChange={(auth) => onChange({ auth })} />
        </div>
        {draft.auth === "bearer" && (
          <TextField
            label="Token"
            type="password"
            autoComplete="off"
            placeholder={keeps ? "Kept; type to change it" : ""}
            value={draft.token}
            error={missing.secret}
            onChange={(event) => onSecret({ token: event.target.value })}
          />
        )}
        {draft.auth === "headers" && (
          <div>
            <label htmlFor={headersId} className="mb-6 block text-13 font-medium text-ink">
              Headers
            </label>
            <textarea
              id={headersId}
              rows={2}
              autoComplete="off"
              spellCheck={false}
              placeholder={keeps ? `${connection.header_names.join(", ")} kept; type to change them` : "X-Api-Key: …"}
              value={draft.headers}
              aria-invalid={missing.secret ? true : undefined}
              onChange={(event) => onSecret({ headers: event.target.value })}
              className="w-full rounded-8 border border-line-strong bg-s2 px-11 py-8 font-mono text-13 text-ink focus-visible:border-line aria-invalid:border-danger"
            />
            {missing.secret && (
              <p role="alert" className="mt-6 text-13 text-danger">
                {missing.secret}
              </p>
            )}
          </div>
        )}
        {draft.auth === "oauth" && <p className="pt-24 text-13 text-ink2">You sign in at the server once the connection is added.</p>}
      </div>
      {draft.auth === "oauth" && (
        <OwnClient
          draft={draft}
          connection={connection}
          error={missing.client}
          onId={(clientId) => onChange({ clientId })}
          onSecret={(clientSecret) => onSecret({ clientSecret })}
        />
      )}
    </>
  );
}

/** Whether the server could be reached, as it was tried; said aloud. */
function TestOutcome({ outcome }: { outcome: ReturnType<typeof useTestConnection>["data"] }) {
  return (
    <div aria-live="polite">
      {outcome && (
        <p
          className={outcome.success ? "mt-8 flex items-center gap-8 text-14 text-ink" : "mt-8 flex items-center gap-8 text-14 text-danger"}
        >
          {outcome.success ? <Check aria-hidden className="size-16 text-accent" /> : <CircleAlert aria-hidden className="size-16" />}
          {outcome.success
            ? `Connected, ${counted(outcome.tools_count, "tool")} found`
            : `Failed to connect to MCP server: ${outcome.error}`}
        </p>
      )}
    </div>
  );
}

/** A server's tools, and which of them ask before each call. */
function ServerTools({ tools, trusted }: { tools: readonly McpTool[]; trusted: boolean }) {
  return (
    <>
      <ul
        // What scrolls must be reachable.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Tools of the server"
        className="mt-8 max-h-260 space-y-6 overflow-y-auto"
      >
        {tools.map(({ name, description, says_read_only: readsOnly }) => (
          <li key={name} className="grid gap-x-12 text-13 desk:grid-cols-[2fr_5fr]">
            <span className="min-w-0 truncate font-mono text-12 leading-20 text-ink">{name}</span>
            <span className="min-w-0 text-ink2">
              <span className="line-clamp-3">{description}</span>
              {!(trusted && readsOnly) && (
                <Badge tone="signal" className="mt-2">
                  <Hand aria-hidden className="size-12" />
                  Asks first
                </Badge>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-12 text-12 text-ink2">
        {trusted ? "Not marked as read-only: asks before each call." : "Each tool asks before each call, unless you allow it always."}
      </p>
    </>
  );
}

type OwnClientProps = {
  draft: Pick<ConnectionDraft, "clientId" | "clientSecret">;
  connection: McpConnection | null;
  /** Why there has to be one, or what is wrong with it. */
  error: string | undefined;
  onId: (id: string) => void;
  onSecret: (secret: string) => void;
};

/** The client that a person registered at a server themselves: for one that registers nobody by itself. */
function OwnClient({ draft, connection, error, onId, onSecret }: OwnClientProps) {
  const [isOpen, setIsOpen] = useState(draft.clientId !== "");
  const hasStoredSecret = connection?.has_client_secret === true && connection.client_id === draft.clientId.trim();
  return (
    <details className="group mt-12" open={isOpen || error !== undefined} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="-ml-6 flex min-h-32 cursor-pointer list-none items-center gap-8 rounded-8 px-6 text-13 font-medium text-ink touch:min-h-44 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-16 text-ink2 transition-transform duration-120 group-open:rotate-90" />
        Client ID and secret
      </summary>
      <div className="mt-8 grid items-start gap-12 desk:grid-cols-2">
        <TextField
          label="Client ID"
          autoComplete="off"
          spellCheck={false}
          placeholder="Optional"
          value={draft.clientId}
          error={error}
          onChange={({ target }) => onId(target.value)}
        />
        <TextField
          label="Client secret"
          type="password"
          autoComplete="off"
          placeholder={hasStoredSecret ? "Kept; type to change it" : "Optional"}
          value={draft.clientSecret}
          onChange={({ target }) => onSecret(target.value)}
        />
      </div>
      <p className="mt-8 text-13 text-ink2">
        {error === undefined && "Only for a server that registers no apps by itself. "}
        Register one there with this redirect address:{" "}
        <span className="font-mono text-12 [overflow-wrap:anywhere] text-ink select-all">
          {`${window.location.origin}${finishMcpSignIn.path}`}
        </span>
      </p>
    </details>
  );
}
