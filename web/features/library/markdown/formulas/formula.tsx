import { ScrollRegion } from "#web/ui/scroll-region.tsx";
import { type ReactNode, useEffect, useState } from "react";

let typeset: (typeof import("./typeset-formula.ts"))["typesetFormula"] | undefined;

/** A formula's elements, as soon as what sets them is loaded; nothing while it is still being written or where it has a fault. */
function useFormula(source: string, { display, open }: { display: boolean; open: boolean }): ReactNode {
  const [isLoaded, setIsLoaded] = useState(typeset !== undefined);

  useEffect(() => {
    if (isLoaded) return;
    let isCurrent = true;
    import("./typeset-formula.ts").then(
      (module) => {
        typeset = module.typesetFormula;
        if (isCurrent) setIsLoaded(true);
      },
      // Offline, or a new version was deployed: the source stays.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isLoaded]);

  return typeset && !open ? typeset(source, display) : null;
}

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
