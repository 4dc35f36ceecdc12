import { type ComponentProps, useState } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { LedgerLink } from "#web/ui/ledger-link.tsx";

type BuilderProps = ComponentProps<typeof import("#web/features/deeplinks/deeplink-builder.tsx").DeeplinkBuilder>;

const DeeplinkBuilder = lazyPart<BuilderProps>(async () => (await import("#web/features/deeplinks/deeplink-builder.tsx")).DeeplinkBuilder);

/** The way to the builder of links. */
export function DeeplinksRow() {
  const [builder, setBuilder] = useState<"unused" | "open" | "closed">("unused");
  return (
    <>
      <LedgerLink
        label="Deeplinks"
        description="Links that open a chat set up your way"
        value="Build one"
        onClick={() => setBuilder("open")}
      />
      {builder !== "unused" && <DeeplinkBuilder open={builder === "open"} onOpenChange={(open) => setBuilder(open ? "open" : "closed")} />}
    </>
  );
}
