import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import type { List } from "#web/features/conversation/chat-cache/cached-lists.ts";
import type { FilingWhat } from "#web/features/conversation/list-state/row-actions.ts";
import { loadedRows } from "./file-list.ts";
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
  const [asked, setAsked] = useState<{ chats: readonly Chat[]; list: List | null; anchor: HTMLElement } | null>(null);
  const ask = useEffectEvent((chats: readonly Chat[], list: List | null) => {
    const [only] = chats;
    const box = scroller.current;
    const bar = box?.parentElement?.querySelector<HTMLElement>('[role="toolbar"]');
    const row = only && box?.querySelector<HTMLElement>(`a[data-row="${only.id}"]`);
    // All of the row: its menu's button takes the focus back a moment later.
    const anchor = bar ?? row?.parentElement ?? box;
    if (anchor && only) setAsked({ chats, list, anchor });
    else onClose();
  });
  useEffect(() => {
    // A menu that asks gives the focus back first.
    const frame = requestAnimationFrame(() => ("view" in of ? ask(loadedRows(of), of) : ask(of, null)));
    return () => cancelAnimationFrame(frame);
  }, [of]);
  if (!asked) return null;
  return <FilingPicker what={what} {...asked} onFiled={() => onFiled(asked.chats.map(({ id }) => id))} onClose={onClose} />;
}
