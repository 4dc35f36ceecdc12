import { splitCredits } from "#web/lib/dollars.ts";

/** A balance or a sum with the digits past the cents dimmed. */
export function Credits({ dollars, className = "" }: { dollars: number; className?: string }) {
  const { main, extra } = splitCredits(dollars);
  return (
    <span className={`tabular-nums ${className}`}>
      {main}
      {extra !== "" && <span className="text-ink3">{extra}</span>}
    </span>
  );
}
