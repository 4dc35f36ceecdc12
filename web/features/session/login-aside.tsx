import { UserRound } from "lucide-react";
import { Monogram } from "#web/ui/monogram.tsx";

const LINES = [
  { who: "Claude Sonnet", hue: "anthropic", says: "The clause holds. The notice period in §4 does not." },
  { who: "Gemini Pro", hue: "google", says: "Agreed, and the 2024 amendment shortens it to six weeks." },
  { who: "Llama 4", hue: "meta-llama", says: "Three of the four dates still match. Check the second." },
  { who: "You", hue: null, says: "Then let us rewrite §4 and send it to Ines." },
] as const;

/** What the product's name means, and what that looks like. */
export function LoginAside() {
  return (
    <aside aria-label="What a polylogue is" className="hidden flex-1 bg-s1 pt-[clamp(136px,calc(50dvh-200px),250px)] desk:block">
      <div className="mx-auto w-full max-w-520 px-24">
        <p className="font-serif text-28">
          polylogue <span className="ml-4 text-21 font-normal text-ink2 italic">noun</span>
        </p>
        <p className="mt-8 font-serif text-21 font-normal text-ink2">A conversation in which more than two take part.</p>
        <ul className="mt-40 border-t border-line">
          {LINES.map(({ who, hue, says }) => (
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
      </div>
    </aside>
  );
}
