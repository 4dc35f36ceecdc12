import { UserRound } from "lucide-react";
import { Monogram } from "#web/ui/monogram.tsx";

const LINES = [
  { who: "Claude Sonnet", hue: "anthropic", says: "The clause holds. The notice period in §4 does not." },
  { who: "Gemini Pro", hue: "google", says: "Agreed, and the 2024 amendment shortens it to six weeks." },
  { who: "Llama 4", hue: "meta-llama", says: "Three of the four dates still match. Check the second." },
  { who: "You", hue: null, says: "Then let us rewrite §4 and send it to Ines." },
] as const;

/** What talking with several models at once looks like: their voices, and the last word that is the reader's own where there is room. */
export function Exchange({ voices = LINES.length }: { voices?: 3 | 4 }) {
  return (
    <ul className="border-t border-line">
      {LINES.slice(0, voices).map(({ who, hue, says }) => (
        <li key={who} className="flex gap-16 border-b border-line py-15">
          {hue === null ? (
            <span
              aria-hidden
              className="inline-flex size-28 shrink-0 items-center justify-center rounded-full bg-accent-soft text-accent-soft-ink"
            >
              <UserRound className="size-16" />
            </span>
          ) : (
            <Monogram name={who} hue={hue} size={28} />
          )}
          <div>
            <p className="text-13 font-medium text-ink2">{who}</p>
            <p className="text-15 text-ink">{says}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
