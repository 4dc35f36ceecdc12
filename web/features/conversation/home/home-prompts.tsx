import { ChevronRight, SquareSlash } from "lucide-react";
import { HomeHints } from "#web/features/conversation/home/home-hints.tsx";
import { NEW_CHAT } from "#web/features/conversation/composer/drafts.ts";
import { choosePrompt, openPromptList } from "#web/features/conversation/composer/prompt-use-store.ts";
import { usePrompts } from "#web/features/library/prompts/use-prompts.ts";
import type { PromptSummary } from "#shared/entities/prompt.ts";

const buttonClass =
  "flex h-32 w-full min-w-0 items-center gap-6 rounded-8 px-8 text-13 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink touch:h-44";

/** The prompts used most, in one line under the composer; who has none sees the composer's keys. */
export function HomePrompts() {
  const { data, prompts } = usePrompts();
  if (!data) return null;
  if (prompts.length === 0) return <HomeHints />;
  return (
    <ul
      aria-label="Prompts"
      className="mx-auto flex w-full max-w-792 items-center gap-4 overflow-x-auto px-12 [scrollbar-width:none] min-[600px]:px-20 desk:-mt-6 desk:overflow-visible desk:px-28"
    >
      {favouritePrompts(prompts).map(({ id, name }) => (
        <li key={id} className="max-w-200 shrink-0 desk:min-w-0 desk:max-w-none desk:shrink">
          <button type="button" onClick={() => choosePrompt(NEW_CHAT, id)} className={buttonClass}>
            <SquareSlash aria-hidden className="size-16 shrink-0" />
            <span className="truncate">{name}</span>
          </button>
        </li>
      ))}
      <li className="ml-auto shrink-0">
        <button type="button" onClick={() => openPromptList(NEW_CHAT)} className={buttonClass}>
          All prompts
          <ChevronRight aria-hidden className="size-16" />
        </button>
      </li>
    </ul>
  );
}

/** Prompts that stand in one line under the composer. */
const FAVOURITES = 3;

type Used = Pick<PromptSummary, "uses" | "last_used_at">;

/** The prompts that were used most, of equals the one used last; then the others in their order. */
export function favouritePrompts<P extends Used>(prompts: readonly P[]): P[] {
  return prompts.toSorted((a, b) => b.uses - a.uses || (b.last_used_at ?? "").localeCompare(a.last_used_at ?? "")).slice(0, FAVOURITES);
}
