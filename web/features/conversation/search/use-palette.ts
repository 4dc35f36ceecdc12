import { useState } from "react";
import type { SearchKind } from "#shared/contracts/search.ts";
import { useArtifactsOn } from "#web/features/library/artifacts/artifacts-on.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useChats } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";
import { groupHits, hitOfChat, type SearchGroup } from "./search-groups.ts";
import { NO_INPUT, withKind, withoutLast, withText, withToggled } from "./search-input.ts";
import { type FilterName, foldersNamed, namesFor, withName } from "./search-names.ts";
import { type Chip, titleMatches, toQuery } from "./search-text.ts";
import { useSearch } from "./use-search.ts";

/** Recent chats, and chats by title while the server has not answered. */
const LOCAL_ROWS = 5;

/** What stands in the palette: what is asked, and what is known of it by now. */
export function usePalette() {
  const [{ text, chips, kind }, setInput] = useState(NO_INPUT);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const { user } = useSession();
  const hasArtifacts = useArtifactsOn() === "on";
  const recent = useChats("all").data?.pages.flatMap((page) => page.chats) ?? [];
  const filed = useFolders();
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
    artifacts: isAsking && !isLocal && hasArtifacts ? found.artifacts : [],
    names: namesFor(text, filed),
    folders: isAsking && kind === null ? foldersNamed(text, filed.folders) : [],
    /** Names of folders and tags in what was answered that there are not. */
    unknown: isLocal ? [] : found.unknown,
    unfolded,
    hasMore: !isLocal && found.hasMore,
    /** True once the server has answered what is asked, and all of it. */
    isSettled: user === null || (!found.isBehind && !found.isIncomplete),
    isIncomplete: isAsking && found.isIncomplete,
    error: isAsking ? found.error : null,
    retry: found.retry,
    readMore: found.readMore,
    setKind: (next: SearchKind | null) => setInput((held) => withKind(held, next)),
    toggle: (chip: Chip) => setInput((held) => withToggled(held, chip)),
    /** The text as it now reads; `isReplaced` where nothing of the earlier one is left. */
    type: (next: string, isReplaced: boolean) => setInput((held) => withText(held, next, isReplaced)),
    /** Writes the name that is being typed to its end, which makes a filter of it. */
    complete: (name: FilterName) => setInput((held) => withText(held, withName(held.text, name), false)),
    /** Takes the last filter away, as a step back at the start of the text does. */
    dropLast: () => setInput(withoutLast),
    unfold: (chatId: string) => setUnfolded((held) => new Set([...held, chatId])),
  };
}
