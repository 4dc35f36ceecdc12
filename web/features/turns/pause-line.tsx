/** Below what an answer has so far: more is on its way, and since when nothing came where that is long. */
export function PauseLine({ label }: { label: string | null }) {
  return (
    <div className="mt-12 flex h-26 items-center gap-8 text-13 text-ink3">
      <span aria-hidden className="thinking-dot shrink-0" />
      {label !== null && <span className="truncate tabular-nums">{label}</span>}
    </div>
  );
}
