import { useEffect, useRef } from "react";

/** How much each bar follows the level: the middle ones most. */
const WEIGHTS = [0.5, 0.8, 1, 0.7, 0.45];
const LOWEST = 0.15;

/** How loud the microphone hears, as bars; drawn past React, as it changes with every frame. */
export function LevelMeter({ level }: { level: () => number }) {
  const bars = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = requestAnimationFrame(function draw() {
      const loudness = level();
      for (const [n, bar] of [...(bars.current?.querySelectorAll("span") ?? [])].entries()) {
        bar.style.transform = `scaleY(${Math.max(LOWEST, loudness * (WEIGHTS[n] ?? 1))})`;
      }
      frame = requestAnimationFrame(draw);
    });
    return () => cancelAnimationFrame(frame);
  }, [level]);
  return (
    <span ref={bars} aria-hidden data-level className="flex h-18 shrink-0 items-center gap-2">
      {WEIGHTS.map((weight) => (
        <span key={weight} className="h-full w-3 origin-center scale-y-15 rounded-full bg-accent" />
      ))}
    </span>
  );
}
