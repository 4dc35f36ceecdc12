import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import type { List } from "#web/features/chat-list/held-list.ts";
import { readPage } from "#web/features/chat-list/use-chats.ts";
import type { FilingWhat } from "#web/features/chat-row/row-actions.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { FilingPicker } from "./filing-picker.tsx";

export type ListFilingProps = {
  what: FilingWhat;
  /** Chats, or all that a list holds. */
  of: readonly Chat[] | List;
  scroller: RefObject<HTMLDivElement | null>;
  onFiled: (ids: readonly string[]) => void;
  onClose: () => void;
};

/** Asks for the folder or the tags of a row's chat or of the ticked ones, beside the row or the bar. */
export default function ListFiling({ what, of, scroller, onFiled, onClose }: ListFilingProps) {
  const [asked, setAsked] = useState<{ chats: readonly Chat[]; anchor: HTMLElement } | null>(null);
  const ask = useEffectEvent((chats: readonly Chat[]) => {
    const [only] = chats;
    const list = scroller.current;
    const bar = list?.parentElement?.querySelector<HTMLElement>('[role="toolbar"]');
    const row = only && list?.querySelector<HTMLElement>(`a[data-row="${only.id}"]`);
    // All of the row: its menu's button takes the focus back a moment later.
    const anchor = bar ?? row?.parentElement ?? list;
    if (anchor && only) setAsked({ chats, anchor });
    else onClose();
  });
  const fail = useEffectEvent((error: unknown) => {
    toast({ tone: "danger", title: "Chats could not be loaded", description: error instanceof Error ? error.message : "" });
    onClose();
  });
  useEffect(() => {
    let isWanted = true;
    // A menu that asks gives the focus back first.
    const wait = (chats: readonly Chat[]) => requestAnimationFrame(() => isWanted && ask(chats));
    if ("view" in of) allOf(of).then(wait, fail);
    else wait(of);
    return () => {
      isWanted = false;
    };
  }, [of]);
  if (!asked) return null;
  return <FilingPicker what={what} {...asked} onFiled={() => onFiled(asked.chats.map(({ id }) => id))} onClose={onClose} />;
}

/** All chats of a list, loaded or not. */
async function allOf(list: List): Promise<Chat[]> {
  const chats: Chat[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage(list, cursor);
    chats.push(...page.chats);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && chats.length < MOST_CHATS);
  return chats;
}

/** So many are filed at once. */
const MOST_CHATS = 5_000;
