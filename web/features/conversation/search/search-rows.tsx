import { Archive, FileText, ListTodo, Mail, MessageSquare, Pin, Users, type LucideIcon } from "lucide-react";
import { createElement, type ReactNode } from "react";
import type { ArtifactHit, SearchHit, MarkedText } from "#shared/contracts/search.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { rowTime } from "#web/lib/format.ts";
import { cx } from "#web/ui/cx.ts";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { nearMatch } from "./search-groups.ts";
import type { SearchAction } from "./use-search-actions.ts";

/** Characters of a snippet before its match that leave the match in view. */
const NARROW_LEAD = 18;
const WIDE_LEAD = 56;

function iconOf({ kind, chat }: SearchHit): LucideIcon {
  if (kind === "todo") return ListTodo;
  if (kind === "email") return Mail;
  if (chat.archived) return Archive;
  if (chat.isShared) return Users;
  return chat.isPinned ? Pin : MessageSquare;
}

/** Beside the title, which stands in the row's middle where there is no snippet. */
function HitIcon({ hit }: { hit: SearchHit }) {
  const beside = hit.snippet.text === "" ? "" : "mt-9 self-start touch:mt-11";
  return createElement(iconOf(hit), { "aria-hidden": true, className: cx("size-16 shrink-0 text-ink2", beside) });
}

/** Who wrote what was found: a model by its name, as everywhere. */
function useAuthor({ author, model_id }: SearchHit): string | null {
  const modelName = useModelName(model_id);
  return model_id === null ? author : modelName;
}

/** A chat that was found, with its first match. */
export function HitRow({ hit }: { hit: SearchHit }) {
  const { chat, snippet } = hit;
  const author = useAuthor(hit);
  const lead = useIsMobile() ? NARROW_LEAD : WIDE_LEAD;
  const marks = [!chat.isRead && "Unread", chat.isPinned && "Pinned", chat.isShared && "Shared", chat.archived && "Archived"].filter(
    Boolean,
  );
  return (
    <>
      <HitIcon hit={hit} />
      <span className="ml-12 min-w-0 flex-1">
        <span className="flex items-baseline gap-12">
          <span className={cx("min-w-0 flex-1 truncate text-14", !chat.isRead && "font-semibold")}>
            {chat.title.text === "" ? "New Chat" : <Marked {...chat.title} />}
          </span>
          <time dateTime={hit.time} className="shrink-0 text-12 text-ink3 tabular-nums in-aria-selected:text-ink2">
            {rowTime(hit.time)}
          </time>
        </span>
        <span className="block truncate text-13/18 text-ink3 in-aria-selected:text-ink2">
          {author !== null && `${author}: `}
          <Marked {...nearMatch(snippet, lead)} />
        </span>
        {marks.length > 0 && <span className="sr-only">{marks.join(", ")}</span>}
      </span>
    </>
  );
}

/** Another match in the chat above. */
export function MoreRow({ hit }: { hit: SearchHit }) {
  const { kind, snippet, time } = hit;
  const author = useAuthor(hit);
  const lead = useIsMobile() ? NARROW_LEAD : WIDE_LEAD;
  return (
    <>
      <span className="ml-28 min-w-0 flex-1 truncate border-l border-line pl-12 text-13 text-ink3 in-aria-selected:text-ink2">
        {kind === "todo" ? "Todo: " : author !== null && `${author}: `}
        <Marked {...nearMatch(snippet, lead)} />
      </span>
      <time dateTime={time} className="ml-12 shrink-0 text-12 text-ink3 tabular-nums in-aria-selected:text-ink2">
        {rowTime(time)}
      </time>
    </>
  );
}

/** Something to do. */
export function ActionRow({ action: { icon: Icon, label, about, shortcut } }: { action: SearchAction }) {
  return (
    <>
      <Icon aria-hidden className="size-16 shrink-0 text-ink2" />
      <span className="ml-12 min-w-0 flex-1 truncate text-14">
        {label}
        {about !== undefined && (
          <>
            {" "}
            <span className="font-semibold">“{about}”</span>
          </>
        )}
      </span>
      {shortcut !== undefined && (
        <kbd className="font-sans text-12 text-ink3 tabular-nums in-aria-selected:text-ink2 max-desk:hidden touch:hidden">{shortcut}</kbd>
      )}
    </>
  );
}

/** An artifact that was found, with the passage that matched. */
export function ArtifactRow({ artifact: { title, snippet, time } }: { artifact: ArtifactHit }) {
  const lead = useIsMobile() ? NARROW_LEAD : WIDE_LEAD;
  return (
    <>
      <FileText aria-hidden className={cx("size-16 shrink-0 text-ink2", snippet.text !== "" && "mt-9 self-start touch:mt-11")} />
      <span className="ml-12 min-w-0 flex-1">
        <span className="flex items-baseline gap-12">
          <span className="min-w-0 flex-1 truncate text-14">
            <Marked {...title} />
          </span>
          <time dateTime={time} className="shrink-0 text-12 text-ink3 tabular-nums in-aria-selected:text-ink2">
            {rowTime(time)}
          </time>
        </span>
        <span className="block truncate text-13/18 text-ink3 in-aria-selected:text-ink2">
          <Marked {...nearMatch(snippet, lead)} />
        </span>
      </span>
    </>
  );
}

/** A text with its matches marked. */
function Marked({ text, ranges }: MarkedText) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} className="bg-transparent font-semibold text-accent">
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
