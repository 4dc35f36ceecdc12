import { type ReactNode, useEffect, useState } from "react";

let typeset: (typeof import("./typeset-formula.ts"))["typesetFormula"] | undefined;

/** A formula's elements, as soon as what sets them is loaded; nothing while it is still being written or where it has a fault. */
export function useFormula(source: string, { display, open }: { display: boolean; open: boolean }): ReactNode {
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
