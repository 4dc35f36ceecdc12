import { ChevronRight, Check, CircleHelp, type LucideIcon, X } from "lucide-react";
import { memo, useId, useState } from "react";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { AS_LINK, ImageContext } from "#web/features/library/markdown/contexts.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { countWords } from "#web/features/conversation/messages/turn-text.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { ToolIcon } from "#web/features/conversation/tools/tool-icon.tsx";
import { toolLineOf, tailOf } from "#web/features/conversation/tools/tool-line.ts";
import { ToolParts } from "#web/features/conversation/tools/tool-parts.tsx";
import { counted } from "#web/lib/format.ts";
import { cx } from "#web/ui/cx.ts";
import { withIndexKeys } from "#web/lib/keyed.ts";
import { Badge } from "#web/ui/badge.tsx";

const TITLES: ReadonlyMap<string, string> = new Map([
  ["truthSeekDraft", "Draft"],
  ["truthSeekCritique", "Critique"],
  ["truthSeekRefine", "Refined"],
]);

/** Whether a call is a step of the truth seeker that has something to show. */
export function isTruthStep({ tool, status, parts }: ToolCall): boolean {
  return TITLES.has(tool) && parts.length > 0 && (status === "running" || status === "done");
}

/** A step towards a checked answer: who did it and what came of it; a press shows the draft, the claims or the changes. */
export const TruthRow = memo(function TruthRow({ call }: { call: ToolCall }) {
  const work = call.parts.findLast(({ id }) => id !== "check");
  const text = work?.text ?? "";
  const isRunning = call.status === "running";
  const critique = call.tool === "truthSeekCritique" && !isRunning ? readCritique(text) : null;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const isOpen = chosen ?? (critique !== null && critique.claims.length > 0);
  const panelId = useId();
  const model = useModelName(work?.model_id ?? null);
  const { stats } = toolLineOf(call, undefined);
  return (
    <div data-call={call.id} className="border-b border-line">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setChosen(!isOpen)}
        className="group/row flex min-h-34 w-full items-center gap-10 rounded-8 text-left touch:min-h-44"
      >
        <ToolIcon tool={call.tool} className="size-16 text-ink2" />
        <span className="shrink-0 font-medium text-ink">{TITLES.get(call.tool)}</span>{" "}
        {isRunning && !isOpen ? (
          <span aria-hidden className="flex min-w-0 flex-1 justify-end overflow-hidden text-ink3">
            <span className="min-w-full shrink-0 whitespace-nowrap">{tailOf(text)}</span>
          </span>
        ) : (
          <span className="min-w-0 flex-1 truncate text-ink2">{[model, gistOf(call, text)].filter(Boolean).join(", ")}</span>
        )}{" "}
        {isRunning ? (
          <>
            <span aria-hidden className="thinking-dot mr-4 shrink-0 text-ink3" />
            <span className="sr-only">Running</span>
          </>
        ) : (
          <span className="shrink-0 text-12 text-ink2 tabular-nums">{stats.slice(-2).join("\u2002·\u2002")}</span>
        )}
        <ChevronRight
          aria-hidden
          className={cx("size-16 shrink-0 text-ink3 transition-transform duration-120 group-hover/row:text-ink", isOpen && "rotate-90")}
        />
      </button>
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <div className="pb-12 pl-26">
            {critique && critique.claims.length > 0 && <ClaimRows claims={critique.claims} />}
            {/* Its text is no message's: what stands in it is a link. */}
            <ImageContext value={AS_LINK}>
              <Markdown text={bodyOf(call, critique?.rest ?? text)} streaming={isRunning} isQuiet />
            </ImageContext>
            <div className="desk:-ml-26">
              <ToolParts parts={call.parts.filter(({ id }) => id === "check")} />
            </div>
          </div>
        )}
      </div>
    </div>
  );
});

/** What came of a step, in few words. */
function gistOf({ tool, sources, status }: ToolCall, text: string): string {
  if (status === "running") return "";
  if (tool === "truthSeekDraft") return counted(countWords(text), "word");
  if (tool === "truthSeekRefine") return counted(readChanges(text).count, "change");
  const read = sources.filter(({ error }) => error === null).length;
  return read === 0 ? "without the web" : `read ${counted(read, "page")} on the web`;
}

function bodyOf({ tool, status }: ToolCall, text: string): string {
  if (tool !== "truthSeekRefine" || status === "running") return text;
  return readChanges(text).list || text;
}

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
        {withIndexKeys(claims).map(({ key, part: { verdict, claim, reason } }, index) => {
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

type Verdict = "holds" | "imprecise" | "wrong" | "unknown";

type Claim = { verdict: Verdict; claim: string; reason: string | null };

/** A critique: its claims in order, and the rest of it as markdown. */
type Critique = { claims: readonly Claim[]; rest: string };

const VERDICT_WORDS: readonly (readonly [RegExp, Verdict])[] = [
  [/^(?:holds|supported|true|correct)/i, "holds"],
  [/^(?:imprecise|doubtful|partly|misleading)/i, "imprecise"],
  [/^(?:wrong|false|incorrect)/i, "wrong"],
  [/^(?:no evidence|unverified|unknown|missing)/i, "unknown"],
];

/** Reads `- **Holds**: the claim — the reason` lines; one of another form leaves the whole critique as it is. */
export function readCritique(text: string): Critique {
  const heading = /^## Claims[ \t]*\n/m.exec(text);
  if (!heading) return { claims: [], rest: text };
  const below = text.slice(heading.index + heading[0].length);
  const next = /^## /m.exec(below)?.index ?? below.length;
  const [before, list, after] = [text.slice(0, heading.index), below.slice(0, next), below.slice(next)];
  const lines = list.split("\n").filter((line) => line.trim() !== "");
  const claims = lines.map(readClaim).filter((claim) => claim !== null);
  if (claims.length === 0 || claims.length < lines.length) return { claims: [], rest: text };
  return { claims, rest: `${before}${after}`.trim() };
}

function readClaim(line: string): Claim | null {
  const [, word = "", said = ""] = /^\s*(?:[-*]|\d+\.)\s+\*\*(.+?)[:.]?\*\*[:.]?\s+(.+)$/.exec(line) ?? [];
  const verdict = VERDICT_WORDS.find(([words]) => words.test(word))?.[1];
  if (!verdict) return null;
  const [claim = "", ...reasons] = said.split(/\s+[—–]\s+/);
  return { verdict, claim, reason: reasons.length === 0 ? null : reasons.join(" – ") };
}

/** The list of what a refined answer changed, as markdown and counted; the answer itself stands below. */
export function readChanges(text: string): { list: string; count: number } {
  const list = /^## What changed\s*\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1]?.trim() ?? "";
  return { list, count: Array.from(list.matchAll(/^(?:[-*]|\d+\.)\s/gm)).length };
}
