import { Check, CircleHelp, type LucideIcon, X } from "lucide-react";
import { AS_LINK, ImageContext } from "#web/features/library/markdown/image-context.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { keyed } from "#web/lib/keyed.ts";
import { Badge } from "#web/ui/badge.tsx";
import type { Claim, Verdict } from "./claims.ts";

const VERDICTS = {
  holds: { word: "Holds", icon: Check, tone: "accent" },
  imprecise: { word: "Imprecise", icon: CircleHelp, tone: "signal" },
  wrong: { word: "Wrong", icon: X, tone: "danger" },
  unknown: { word: "No evidence", icon: CircleHelp, tone: "signal" },
} as const satisfies Record<Verdict, { word: string; icon: LucideIcon; tone: string }>;

/** The claims of a draft, each with its verdict and the reason for it. */
export function ClaimRows({ claims }: { claims: readonly Claim[] }) {
  return (
    <ImageContext value={AS_LINK}>
      <ol aria-label="Claims" className="pb-8">
        {keyed(claims).map(({ key, part: { verdict, claim, reason } }, index) => {
          const { word, icon: Icon, tone } = VERDICTS[verdict];
          return (
            <li key={key} className="flex gap-8 border-b border-line py-10 last:border-b-0">
              <span className="w-16 shrink-0 text-13/20 text-ink3 tabular-nums">{index + 1}</span>
              <div className="claim min-w-0 flex-1">
                <p dir="auto" className="text-14/20 text-ink">
                  {claim}
                </p>
                {reason !== null && <Markdown text={reason} isQuiet />}
              </div>
              <Badge tone={tone}>
                <Icon aria-hidden className="size-12" />
                {word}
              </Badge>
            </li>
          );
        })}
      </ol>
    </ImageContext>
  );
}
