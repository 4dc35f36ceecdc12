import { ScrollRegion } from "#web/features/markdown/scroll-region.tsx";
import { useFormula } from "./use-formula.ts";

/** A formula; its TeX stands in for it while it is loaded or still written, and where it has a fault. */
export function Formula({ source, display, open }: { source: string; display: boolean; open: boolean }) {
  const formula = useFormula(source, { display, open });
  if (!display) return formula ?? <code className="font-mono text-[0.84em]">{source}</code>;
  return (
    <ScrollRegion as="span" label="Formula" className="flex min-h-44 items-center overflow-x-auto overflow-y-hidden py-4">
      {formula ?? <code className="m-auto font-mono text-13 whitespace-pre-wrap text-ink2">{source}</code>}
    </ScrollRegion>
  );
}
