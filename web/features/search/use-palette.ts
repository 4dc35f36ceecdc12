import { useState } from "react";
import type { SearchKind } from "#shared/contracts/search.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { useChats } from "#web/features/sidebar/use-chats.ts";
import { groupHits, hitOfChat, type SearchGroup } from "./search-groups.ts";
import { addChips, type Chip, hasChip, liftFilters, titleMatches, toggleChip, toQuery } from "./search-text.ts";
import { useSearch } from "./use-search.ts";

/** Recent chats, and chats by title while the server has not answered. */
const LOCAL_ROWS = 5;

/** `typed` are those of the filters that were written in the text, and go with it. */
type Input = { text: string; chips: Chip[]; kind: SearchKind | null; typed: { chips: Chip[]; kind: SearchKind | null } };

const NOTHING_TYPED: Input["typed"] = { chips: [], kind: null };

/** What stands in the palette: what is asked, and what is known of it by now. */
export function usePalette() {
  const [{ text, chips, kind }, setInput] = useState<Input>({ text: "", chips: [], kind: null, typed: NOTHING_TYPED });
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { user } = useSession();
  const recent = useChats("all").data?.pages.flatMap((page) => page.chats) ?? [];
  const q = toQuery(text, chips);
  const found = useSearch({ q, kind }, user !== null);

  const isAsking = q !== "";
  // Titles that this page knows stand there with the key; what the server finds takes their place.
  const local = recent
    .filter(({ title }) => !isAsking || (chips.length === 0 && (kind === null || kind === "chat") && titleMatches(title, text)))
    .slice(0, LOCAL_ROWS);
  const isLocal = !isAsking || (found.isBehind && found.hits.length === 0) || found.error !== null;
  const groups: SearchGroup[] = isLocal ? groupHits(local.map(hitOfChat)) : groupHits(found.hits);

  return {
    text,
    chips,
    kind,
    isAsking,
    groups,
    unfolded,
    hasMore: !isLocal && found.hasMore,
    /** True once the server has answered what is asked, and all of it. */
    isSettled: user === null || (!found.isBehind && !found.isIncomplete),
    isIncomplete: isAsking && found.isIncomplete,
    error: isAsking ? found.error : null,
    retry: found.retry,
    readMore: found.readMore,
    setKind: (next: SearchKind | null) => setInput((held) => ({ ...held, kind: next, typed: { ...held.typed, kind: null } })),
    toggle: (chip: Chip) =>
      setInput((held) => {
        const typed = hasChip(held.typed.chips, chip) ? { ...held.typed, chips: toggleChip(held.typed.chips, chip) } : held.typed;
        return { ...held, chips: toggleChip(held.chips, chip), typed };
      }),
    /** The text as it now reads; `isReplaced` where nothing of the earlier one is left. */
    type: (next: string, isReplaced: boolean) => {
      const lifted = liftFilters(next);
      setInput((input) => {
        const held = isReplaced ? withoutTyped(input) : input;
        const typed = { chips: addChips(held.typed.chips, lifted.chips), kind: lifted.kind ?? held.typed.kind };
        return { text: lifted.text, chips: addChips(held.chips, lifted.chips), kind: lifted.kind ?? held.kind, typed };
      });
    },
    /** Takes the last filter away, as a step back at the start of the text does. */
    dropLast: () =>
      setInput((held) =>
        held.chips.length > 0 || held.kind === null ? { ...held, chips: held.chips.slice(0, -1) } : { ...held, kind: null },
      ),
    unfold: (chatId: string) => setUnfolded((held) => new Set([...held, chatId])),
  };
}

/** The filters that were pressed alone: those of a text that was replaced are gone with it. */
function withoutTyped({ text, chips, kind, typed }: Input): Input {
  return {
    text,
    chips: chips.filter((chip) => !hasChip(typed.chips, chip)),
    kind: kind === typed.kind ? null : kind,
    typed: NOTHING_TYPED,
  };
}
