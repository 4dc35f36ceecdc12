import type { Typeset } from "./to-html.ts";

/** Renders with what sets formulas, which is loaded only where one turns up, as it is large: such a page is rendered twice. */
export async function withFormulas<T>(render: (typeset: Typeset) => T): Promise<T> {
  let hasFormula = false;
  const plain = render(() => {
    hasFormula = true;
    return null;
  });
  if (!hasFormula) return plain;
  const { createTypesetter } = await import("./typeset-formula.ts");
  return render(createTypesetter());
}
