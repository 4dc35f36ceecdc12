import { CircleAlert, Pencil, Trash2 } from "lucide-react";
import type { McpConnection } from "#shared/entities/library/mcp-connection.ts";
import { counted } from "#web/lib/format.ts";
import { CategoryStateBadge } from "#web/features/tools/category-state-badge.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Monogram } from "#web/ui/monogram.tsx";
import { Switch } from "#web/ui/switch.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { ToolChanges } from "./tool-changes.tsx";
import { useDeleteConnection, useSignInToServer, useSwitchConnection, useTestConnection } from "./use-connections.ts";

type ConnectionRowProps = {
  connection: McpConnection;
  /** Opens its form; with a reason where its server wants a client that its person registered. */
  onEdit: (needsClient?: string) => void;
};

/** One connection: how it stands, and what can be done about it. */
export function ConnectionRow({ connection, onEdit }: ConnectionRowProps) {
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
