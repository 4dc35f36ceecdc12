import { useEffect, useMemo, useState } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import type { FilingWhat } from "#web/features/conversation/list-state/row-actions.ts";
import { FilingPicker } from "./filing-picker.tsx";

export type HeaderFilingProps = { chat: Chat; what: FilingWhat; onClose: () => void };

/** Asks for an open chat's folder or tags, below the button of its actions. */
export default function HeaderFiling({ chat, what, onClose }: HeaderFilingProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const chats = useMemo(() => [chat], [chat]);
  useEffect(() => {
    // The menu gives the focus back first.
    const frame = requestAnimationFrame(() => setAnchor(document.querySelector<HTMLElement>('main button[aria-label="Chat actions"]')));
    return () => cancelAnimationFrame(frame);
  }, []);
  if (!anchor) return null;
  return <FilingPicker what={what} chats={chats} anchor={anchor} onFiled={onClose} onClose={onClose} />;
}
