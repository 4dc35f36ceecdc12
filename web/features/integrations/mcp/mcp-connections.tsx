import { CircleAlert, Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { AgainOrSignIn } from "#web/features/people/session/again-or-sign-in.tsx";
import { LoadFailure } from "#web/features/people/session/load-failure.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import {
  followConnections,
  useAcceptTools,
  useConnections,
  useDeleteConnection,
  useSignInToServer,
  useSwitchConnection,
  useTestConnection,
} from "./use-connections.ts";
import type { McpChanges, McpConnection } from "#shared/entities/library/mcp-connection.ts";
import { counted } from "#web/lib/format.ts";
import { CategoryStateBadge } from "#web/features/conversation/tools/category-state-badge.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Monogram } from "#web/ui/monogram.tsx";
import { Switch } from "#web/ui/switch.tsx";

const OUTCOMES: Record<string, { title: string; tone?: "danger" }> = {
  connected: { title: "MCP server connected" },
  refused: { title: "Failed to connect to MCP server", tone: "danger" },
  failed: { title: "Failed to connect to MCP server", tone: "danger" },
  expired: { title: "That sign-in is over. Begin again", tone: "danger" },
};

/** The MCP servers that this person connected: each tried, changed, switched and removed, and new ones added. */
export function McpConnections() {
  const { data, isError, error, refetch } = useConnections();
  /** The one that is edited; `new` adds one. */
  const [edited, setEdited] = useState<string | null>(null);
  /** Why the one that is edited wants a client of its person's own. */
  const [needsClient, setNeedsClient] = useState<string>();
  useEffect(followConnections, []);
  useEffect(notifyOutcome, []);
  const connections = data?.connections ?? [];
  const list = useRef<HTMLElement>(null);
  /** The one whose form was closed, and whose button gets the focus back. */
  const closed = useRef<string | null>(null);
  const close = () => {
    closed.current = edited;
    setEdited(null);
    setNeedsClient(undefined);
  };
  useEffect(() => {
    if (edited !== null || closed.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-opens="${closed.current}"]`)?.focus();
    closed.current = null;
  }, [edited]);
  return (
    <section ref={list} aria-labelledby="mcp-connections" className="mt-28">
      <h3 id="mcp-connections" className="flex items-center gap-8 border-b border-line pb-8 text-14 font-medium text-ink">
        MCP connections
        {connections.length > 0 && <Badge className="tabular-nums">{connections.length}</Badge>}
      </h3>
      {isError && !data && (
        <div className="flex items-center gap-12 py-12 text-14 text-ink2">
          <LoadFailure text="Failed to load MCP connections" error={error} />
          <AgainOrSignIn error={error} onAgain={() => void refetch()} />
        </div>
      )}
      <ul className="divide-y divide-line border-b border-line empty:hidden">
        {connections.map((connection) => (
          <li key={connection.id}>
            {edited === connection.id ? (
              <ConnectionForm connection={connection} needsClient={needsClient} onClose={close} />
            ) : (
              <ConnectionRow
                connection={connection}
                onEdit={(reason) => {
                  setNeedsClient(reason);
                  setEdited(connection.id);
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {edited === "new" ? (
        <ConnectionForm connection={null} onClose={close} />
      ) : (
        <Button size="sm" data-opens="new" className="mt-12" disabled={!data} onClick={() => setEdited("new")}>
          <Plus aria-hidden className="size-14" />
          Add connection
        </Button>
      )}
    </section>
  );
}

/** Says what came of a server's sign-in that led back here, once. */
function notifyOutcome(): void {
  const url = new URL(window.location.href);
  const outcome = OUTCOMES[url.searchParams.get("mcp") ?? ""];
  if (!outcome) return;
  url.searchParams.delete("mcp");
  window.history.replaceState(window.history.state, "", url);
  toast(outcome);
}

type ConnectionRowProps = {
  connection: McpConnection;
  /** Opens its form; with a reason where its server wants a client that its person registered. */
  onEdit: (needsClient?: string) => void;
};

/** One connection: how it stands, and what can be done about it. */
function ConnectionRow({ connection, onEdit }: ConnectionRowProps) {
  const { id, name, server_url: url, enabled, state, error, tools, changes } = connection;
  const change = useSwitchConnection();
  const remove = useDeleteConnection();
  const test = useTestConnection();
  const signIn = useSignInToServer(onEdit);
  const isFailing = state === "failing";
  const tryIt = () =>
    test.mutate(
      { server_url: url, id },
      {
        onSuccess: ({ success, tools_count: count, error: reason }) =>
          success
            ? toast({ title: `Connected, ${counted(count, "tool")} found` })
            : toast({ title: "Failed to connect to MCP server", description: reason ?? "", tone: "danger" }),
      },
    );
  return (
    <section aria-label={`Connection ${name}`} className="py-10">
      <div className="flex items-center gap-12 max-[640px]:flex-wrap">
        <Monogram name={name} size={28} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-8 gap-y-4 text-14 font-medium text-ink">
            <span className="min-w-0 truncate">{name}</span>
            {isFailing ? (
              <Badge tone="signal">
                <CircleAlert aria-hidden className="size-12" />
                Failed to connect to MCP server
              </Badge>
            ) : (
              <Badge className="tabular-nums">{counted(tools.length, "tool")}</Badge>
            )}
            {!isFailing && <CategoryStateBadge state={state} />}
          </p>
          <p className="truncate font-mono text-12 text-ink2">{url}</p>
          {enabled && error !== null && <p className="mt-2 text-13 text-ink2">{error}</p>}
        </div>
        <div className="flex items-center gap-4 max-[640px]:w-full max-[640px]:pl-40">
          {state === "needs_sign_in" && connection.auth_type === "oauth" ? (
            <Button size="sm" busy={signIn.isPending} onClick={() => signIn.mutate(id)}>
              Sign in
            </Button>
          ) : (
            <Button variant={isFailing ? "secondary" : "quiet"} size="sm" busy={test.isPending} onClick={tryIt}>
              {isFailing ? "Test again" : "Test"}
            </Button>
          )}
          <IconButton data-opens={id} label={`Edit ${name}`} icon={Pencil} onClick={() => onEdit()} />
          <IconButton
            label={`Delete ${name}`}
            icon={Trash2}
            onClick={() => {
              if (window.confirm(`Delete ${name}? Its tools and what is kept to sign in there go with it.`)) remove.mutate(id);
            }}
          />
          <Switch label={`${name} on`} className="ml-4" checked={enabled} onChange={() => change.mutate({ id, enabled: !enabled })} />
        </div>
      </div>
      {changes !== null && <ToolChanges id={id} changes={changes} />}
    </section>
  );
}

/** What a server's tools are now that was not agreed to: these are not used until it is. */
function ToolChanges({ id, changes: { added, changed, removed, seen } }: { id: string; changes: McpChanges }) {
  const accept = useAcceptTools();
  return (
    <div className="mt-10 rounded-8 bg-s2 p-12 text-13 text-ink2">
      <p className="font-medium text-ink">The server’s tools changed. Look at them before models use them.</p>
      <dl className="mt-8 space-y-6">
        {added.map(({ name, description }) => (
          <Change key={`added ${name}`} kind="New" name={name}>
            {description}
          </Change>
        ))}
        {changed.map(({ before, after }) => (
          <Change key={`changed ${after.name}`} kind="Changed" name={after.name}>
            {before.description === after.description ? (
              "It takes other input than before, or says otherwise whether it only reads."
            ) : (
              <>
                <del className="block">{before.description}</del>
                <ins className="block no-underline">{after.description}</ins>
              </>
            )}
          </Change>
        ))}
        {removed.map(({ name }) => (
          <Change key={`removed ${name}`} kind="Gone" name={name}>
            {null}
          </Change>
        ))}
      </dl>
      <Button size="sm" className="mt-12" busy={accept.isPending} onClick={() => accept.mutate({ id, seen })}>
        Use these tools
      </Button>
    </div>
  );
}

function Change({ kind, name, children }: { kind: string; name: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        {kind} <span className="font-mono text-12 text-ink">{name}</span>
      </dt>
      {children !== null && <dd className="[overflow-wrap:anywhere] whitespace-pre-wrap">{children}</dd>}
    </div>
  );
}
