import type { ReactNode } from "react";
import { cx } from "./cx.ts";

const tones = {
  neutral: "bg-s3 text-ink2",
  accent: "bg-accent-soft text-accent-soft-ink",
  signal: "bg-signal-soft text-signal-ink",
  danger: "bg-danger-soft text-danger",
} as const;

export function Badge({ tone = "neutral", children, className }: { tone?: keyof typeof tones; children: ReactNode; className?: string }) {
  return (
    <span className={cx("inline-flex h-20 shrink-0 items-center gap-4 rounded-6 px-6 text-12 font-medium", tones[tone], className)}>
      {children}
    </span>
  );
}
