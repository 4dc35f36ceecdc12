import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { AgainOrSignIn } from "#web/features/session/again-or-sign-in.tsx";
import { LoadFailure } from "#web/features/session/load-failure.tsx";
import { Badge } from "#web/ui/badge.tsx";
import { Button } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast/toast.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { ConnectionRow } from "./connection-row.tsx";
import { followConnections, useConnections } from "./use-connections.ts";

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
