import type { Table } from "mdast";
import { Maximize2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { tableToCsv } from "#shared/markdown/table-to-csv.ts";
import { KeepAsArtifact } from "#web/features/library/artifacts/keep-as-artifact.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { ScrollRegion } from "#web/ui/scroll-region.tsx";
import { ToolbarButton } from "#web/ui/toolbar-button.tsx";

/** `label` names the table where it scrolls; the children are the table as it is shown enlarged. */
export type TableToolsProps = { node: Table; title: string; label: string; children: ReactNode };

/** What can be done with a table: see it larger, keep it, copy its data as CSV. */
export function TableTools({ node, title, label, children }: TableToolsProps) {
  const [isLarge, setIsLarge] = useState(false);
  return (
    <>
      {/* Over the head's end and out of the way: it neither takes room nor a press before it is seen. */}
      <div className="table-tools pointer-events-none absolute end-0 top-0 z-1 flex items-center rounded-6 bg-bg opacity-0 transition-opacity duration-120 group-focus-within/table:pointer-events-auto group-focus-within/table:opacity-100 group-hover/table:pointer-events-auto group-hover/table:opacity-100 print:hidden">
        <ToolbarButton icon={Maximize2} label="Enlarge" name="Enlarge table" onClick={() => setIsLarge(true)} />
        <KeepAsArtifact look="tool" title={title} text={() => tableToCsv(node)} language="csv" />
        <CopyButton label="Copy as CSV" name="Copy as CSV" text={() => tableToCsv(node)} />
      </div>
      <Dialog open={isLarge} onOpenChange={setIsLarge} title="Table" width={1_280} bare>
        <ScrollRegion label={label} className="markdown max-h-[80dvh] flex-1 overflow-auto px-24 pb-24 [container-type:inline-size]">
          {children}
        </ScrollRegion>
      </Dialog>
    </>
  );
}
