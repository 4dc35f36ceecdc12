import { Hand } from "lucide-react";
import type { McpTool } from "#shared/entities/library/mcp-connection.ts";
import { Badge } from "#web/ui/badge.tsx";

/** A server's tools, and which of them ask before each call. */
export function ServerTools({ tools, trusted }: { tools: readonly McpTool[]; trusted: boolean }) {
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
