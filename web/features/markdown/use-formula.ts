import { type ReactNode, useEffect, useState } from "react";
import { toMathElements } from "./mathml.ts";

type Katex = (typeof import("katex"))["default"];

const cacheSize = 500;
const cache = new Map<string, ReactNode>();
let katex: Katex | undefined;

/** Renders TeX as MathML elements; `null` where it is not understood. */
function renderFormula(render: Katex, source: string, display: boolean): ReactNode {
  const key = `${display ? "block" : "inline"} ${source}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const holder = document.createElement("span");
  try {
    render.render(source, holder, {
      output: "mathml",
      displayMode: display,
      throwOnError: true,
      strict: false,
      trust: false,
      maxExpand: 500,
      maxSize: 50,
    });
  } catch {
    // TeX that KaTeX does not know is shown as it was written.
    holder.replaceChildren();
  }
  const formula = holder.hasChildNodes() ? toMathElements(holder.childNodes) : null;
  cache.set(key, formula);
  const [oldest] = cache.keys();
  if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
  return formula;
}

/** A formula's elements, as soon as KaTeX is loaded; nothing while it is still being written or where it has a fault. */
export function useFormula(source: string, { display, open }: { display: boolean; open: boolean }): ReactNode {
  const [isLoaded, setIsLoaded] = useState(katex !== undefined);

  useEffect(() => {
    if (isLoaded) return;
    let isCurrent = true;
    import("katex").then(
      (module) => {
        katex = module.default;
        if (isCurrent) setIsLoaded(true);
      },
      // Offline, or a new version was deployed: the source stays.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isLoaded]);

  return katex && !open ? renderFormula(katex, source, display) : null;
}
