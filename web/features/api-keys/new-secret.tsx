import { Check, Copy } from "lucide-react";
import { APP_NAME } from "#shared/app.ts";
import type { ApiScope } from "#shared/entities/library/api-key.ts";
import { useCopy } from "#web/features/markdown/use-copy.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";

type NewSecretProps = { name: string; secret: string; scopes: readonly ApiScope[]; onDone: () => void };

/** A new key's secret, which is shown this once, and how a program is set up with it. */
export function NewSecret({ name, secret, scopes, onDone }: NewSecretProps) {
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
