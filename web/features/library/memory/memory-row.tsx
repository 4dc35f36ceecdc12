import { History, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import type { Memory } from "#shared/entities/memory.ts";
import { fullTime, rowTime } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Link } from "#web/ui/link.tsx";
import { MemoryField } from "./memory-field.tsx";
import { useChangeMemories, useMemoryHistory } from "./use-memories.ts";

type MemoryRowProps = { memory: Memory; isForgotten: boolean; isWanted: boolean; onForgotten: () => void };

/** One fact: what it says, where it comes from, and how it is changed or forgotten. */
export function MemoryRow({ memory, isForgotten, isWanted, onForgotten }: MemoryRowProps) {
  const { change, forget, keep } = useChangeMemories();
  const [isEditing, setIsEditing] = useState(isWanted);
  const [isOpen, setIsOpen] = useState(false);
  const { id, text } = memory;
  if (isEditing && !isForgotten) {
    return (
      <li>
        <MemoryField
          label="Fact"
          text={text}
          problem={change.error?.message ?? null}
          isBusy={change.isPending}
          onCancel={() => setIsEditing(false)}
          onSave={(next) => change.mutate({ id, text: next }, { onSuccess: () => setIsEditing(false) })}
        />
      </li>
    );
  }
  return (
    <li className="py-6">
      <div className="flex min-h-40 items-center gap-8">
        <div className="min-w-0 flex-1">
          <p dir="auto" className={isForgotten ? "text-14 break-words text-ink3" : "text-14 break-words text-ink"}>
            {text}
          </p>
          {isForgotten ? (
            <p className="text-12 text-ink3">Forgotten, no longer sent</p>
          ) : (
            <Source memory={memory} onOwn={() => change.mutate({ id, text })} />
          )}
        </div>
        {isForgotten ? (
          <Button size="sm" busy={keep.isPending} aria-label={`Undo: ${text}`} onClick={() => keep.mutate(id)}>
            Undo
          </Button>
        ) : (
          <span className="flex shrink-0">
            {memory.has_history && (
              <IconButton
                label={`History of ‘${text}’`}
                tooltip="History"
                icon={History}
                aria-expanded={isOpen}
                onClick={() => setIsOpen(!isOpen)}
              />
            )}
            <IconButton label={`Edit ‘${text}’`} tooltip="Edit" icon={Pencil} onClick={() => setIsEditing(true)} />
            <IconButton
              label={`Forget ‘${text}’`}
              tooltip="Forget"
              icon={Trash2}
              onClick={() => {
                onForgotten();
                forget.mutate(id);
              }}
            />
          </span>
        )}
      </div>
      {isOpen && !isForgotten && <Earlier id={id} />}
    </li>
  );
}

const ORIGINS = { chat: "From a chat that is gone", user: "Added by you", import: "Imported" } as const;

function Source({ memory, onOwn }: { memory: Memory; onOwn: () => void }) {
  const { chat, message_id: messageId, origin, created_at: at, used_at: usedAt, is_sent: isSent, is_untrusted: isUntrusted } = memory;
  return (
    <p className="flex min-w-0 flex-wrap gap-x-6 text-12 leading-[18px] text-ink3">
      {chat ? (
        <Link
          to={messageId === null ? `/c/${chat.id}` : `/c/${chat.id}?message=${messageId}`}
          className="max-w-full truncate text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink"
        >
          {chat.title || "New Chat"}
        </Link>
      ) : (
        <span>{ORIGINS[origin]}</span>
      )}
      <span aria-hidden>·</span>
      <time dateTime={at} title={fullTime(at)}>
        {rowTime(at)}
      </time>
      <span aria-hidden>·</span>
      {usedAt === null ? <span>not used yet</span> : <span title={fullTime(usedAt)}>{`last used ${rowTime(usedAt)}`}</span>}
      {!isSent && (
        <>
          <span aria-hidden>·</span>
          <span>does not go along, as newer facts take the room</span>
        </>
      )}
      {isUntrusted && (
        <>
          <span aria-hidden>·</span>
          <span>others may have worded it, so tools ask again</span>
          <button
            type="button"
            aria-label={`Trust it: ${memory.text}`}
            className="text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink touch:min-h-44"
            onClick={onOwn}
          >
            Trust it
          </button>
        </>
      )}
    </p>
  );
}

function Earlier({ id }: { id: string }) {
  const { data } = useMemoryHistory(id, true);
  return (
    <ul aria-label="Earlier" className="mt-4 space-y-4 border-l border-line pl-12 text-13 text-ink2">
      {data?.versions.map(({ text, at, why }) => (
        <li key={`${at} ${text}`}>
          {text}{" "}
          <span className="text-12 text-ink3">{`${why === "edited" ? "until an edit" : "until it was replaced"}, ${rowTime(at)}`}</span>
        </li>
      ))}
    </ul>
  );
}
