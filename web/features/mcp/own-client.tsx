import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { finishMcpSignIn } from "#shared/contracts/library/mcp-connections.ts";
import type { McpConnection } from "#shared/entities/library/mcp-connection.ts";
import { TextField } from "#web/ui/text-field.tsx";
import type { ConnectionDraft } from "./connection-draft.ts";

type OwnClientProps = {
  draft: Pick<ConnectionDraft, "clientId" | "clientSecret">;
  connection: McpConnection | null;
  /** Why there has to be one, or what is wrong with it. */
  error: string | undefined;
  onId: (id: string) => void;
  onSecret: (secret: string) => void;
};

/** The client that a person registered at a server themselves: for one that registers nobody by itself. */
export function OwnClient({ draft, connection, error, onId, onSecret }: OwnClientProps) {
  const [isOpen, setIsOpen] = useState(draft.clientId !== "");
  const isKept = connection?.has_client_secret === true && connection.client_id === draft.clientId.trim();
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
          placeholder={isKept ? "Kept; type to change it" : "Optional"}
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
