import { Plus, Search } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { Virtualizer } from "virtua";
import { useSession } from "#web/features/session/use-session.ts";
import { Button } from "#web/ui/button.tsx";
import { matcher, plainText } from "#web/ui/picker/match.ts";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useReorder } from "#web/ui/use-reorder.ts";
import { cx } from "#web/ui/cx.ts";
import type { Pane } from "./pane.ts";
import { PromptItem, ROW_PX } from "./prompt-item.tsx";
import { useMovePrompt } from "./use-change-prompts.ts";
import { usePrompts } from "./use-prompts.ts";
import { RowSkeletons } from "#web/ui/row-skeletons.tsx";

/** Rows kept beyond the edges: lists of some dozens are wholly there. */
const BUFFER_PX = 2_000;
/** Shorter lists are seen at a glance. */
const SEARCHED = 8;

type PromptsListProps = {
  pane: Pane;
  onPane: (pane: Pane) => void;
  /** What is done with a prompt stands beside the list. */
  isWide: boolean;
  /** Beside the way to a new one. */
  menu: ReactNode;
};

/** All prompts in their order, which can be changed, and the way to a new one. */
export function PromptsList({ pane, onPane, isWide, menu }: PromptsListProps) {
  const { user } = useSession();
  const { prompts, data, isError, isFetching, refetch } = usePrompts();
  const [query, setQuery] = useState("");
  const [moved, setMoved] = useState("");
  const move = useMovePrompt();
  const scroller = useRef<HTMLDivElement>(null);
  const create = useRef<HTMLButtonElement>(null);
  const isSearch = query.trim() !== "";
  const own = useMemo(() => prompts.filter((prompt) => prompt.user_id === user?.id).map(({ id }) => id), [prompts, user?.id]);
  const { list, order, draggedId, handle } = useReorder<HTMLDivElement>(own, {
    rowPx: ROW_PX,
    onOrder: (ids, id) => {
      setMoved(`Moved to place ${ids.indexOf(id) + 1} of ${ids.length}.`);
      move.mutate({ id, order: ids });
    },
  });
  const shown = useMemo(() => {
    if (query.trim() !== "") {
      const isMatch = matcher(query);
      return prompts.filter(({ name, preview }) => isMatch(plainText(`${name} ${preview}`)));
    }
    const byId = new Map(prompts.map((prompt) => [prompt.id, prompt]));
    return [...order, ...prompts.map(({ id }) => id).slice(own.length)].flatMap((id) => byId.get(id) ?? []);
  }, [prompts, own, order, query]);
  const shownId = isWide && pane.kind === "edit" ? pane.id : null;
  return (
    <>
      {(prompts.length >= SEARCHED || isSearch) && (
        <div className="relative shrink-0 px-16 pt-12">
          <Search aria-hidden className="pointer-events-none absolute top-1/2 left-26 mt-6 size-16 -translate-y-1/2 text-ink3" />
          <input
            type="search"
            aria-label="Search prompts"
            placeholder="Search prompts..."
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            className={cx(fieldClass, "h-36 pl-36! text-14 touch:h-44 touch:text-16")}
          />
        </div>
      )}
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain py-8">
        {data ? (
          <div ref={list}>
            <Virtualizer
              as="ul"
              item="li"
              scrollRef={scroller}
              bufferSize={BUFFER_PX}
              itemSize={ROW_PX}
              startMargin={8}
              keepMounted={shown.flatMap(({ id }, index) => (id === draggedId ? [index] : []))}
            >
              {shown.map((prompt) => (
                <PromptItem
                  key={prompt.id}
                  prompt={prompt}
                  isShown={prompt.id === shownId}
                  isDragged={prompt.id === draggedId}
                  handle={!isSearch && own.length > 1 && prompt.user_id === user?.id ? handle(prompt.id) : null}
                  onEdit={() => onPane({ kind: "edit", id: prompt.id })}
                  onDeleted={() => create.current?.focus()}
                />
              ))}
            </Virtualizer>
          </div>
        ) : (
          <Unread isFailed={isError && !isFetching} onRetry={() => void refetch()} />
        )}
        {data && shown.length === 0 && (
          <p className="px-24 py-8 text-13 text-ink2">{isSearch ? "No results found." : "You haven't created any prompts yet."}</p>
        )}
        <p role="status" className="sr-only">
          {moved}
        </p>
      </div>
      <div className="flex shrink-0 items-center justify-between gap-8 border-t border-line px-20 pt-12 pb-[calc(12px+var(--safe-bottom))] desk:px-24">
        <Button ref={create} onClick={() => onPane({ kind: "new", from: "" })}>
          <Plus aria-hidden className="size-16" />
          Create New Prompt
        </Button>
        {menu}
      </div>
    </>
  );
}

function Unread({ isFailed, onRetry }: { isFailed: boolean; onRetry: () => void }) {
  if (!isFailed) return <RowSkeletons label="Loading prompts..." className="h-72 px-24" />;
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-4 px-24 py-8 text-13 text-ink2">
      <output>The prompts could not be loaded.</output>
      <Button size="sm" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
