import type { ReactNode } from "react";
import type { McpChanges } from "#shared/entities/library/mcp-connection.ts";
import { Button } from "#web/ui/button.tsx";
import { useAcceptTools } from "./use-connections.ts";

/** What a server's tools are now that was not agreed to: these are not used until it is. */
export function ToolChanges({ id, changes: { added, changed, removed, seen } }: { id: string; changes: McpChanges }) {
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
