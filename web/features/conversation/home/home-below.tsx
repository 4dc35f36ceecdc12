import { useMemo } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import { prefetchChat } from "#web/features/conversation/messages/use-messages.ts";
import { ModelTile } from "#web/ui/model-tile.tsx";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useChats } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useToday } from "#web/features/conversation/chat-list/use-today.ts";
import { rowTime } from "#web/lib/format.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Link } from "#web/ui/link.tsx";
import { HomePrompts } from "./home-prompts.tsx";
import { leftOff } from "./left-off.ts";

/** Below the composer of someone signed in: their prompts, and the chats they last left. */
export default function HomeBelow() {
  return (
    <>
      {/* As high as what comes, so the chats below stand where they will stay. */}
      <div className="h-32">
        <HomePrompts />
      </div>
      <LeftOff />
    </>
  );
}

/** Nothing for a new account. */
function LeftOff() {
  const { data } = useChats("all");
  const today = useToday();
  const chats = useMemo(() => leftOff(data?.pages[0]?.chats ?? []), [data]);
  if (chats.length === 0) return null;
  return (
    <section aria-labelledby="left-off" className="mx-auto mt-46 w-full max-w-792 px-36 pb-32">
      <h2 id="left-off" className="border-b border-line pb-6 font-serif text-18 font-normal text-ink2 italic">
        Where you left off
      </h2>
      <ul>
        {chats.map((chat) => (
          <li key={chat.id}>
            <LeftOffRow chat={chat} today={today} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LeftOffRow({ chat, today }: { chat: Chat; today: Date }) {
  const { id, title, lastMessagePreview: preview, lastMessageModel: modelId, lastMessageAt: at } = chat;
  const modelName = useModelName(modelId);
  const sender = modelId === null ? chat.lastMessageSender : modelName;
  return (
    <Link
      to={`/c/${id}`}
      onPointerDown={(event) => {
        if (event.pointerType === "mouse" && event.button === 0) prefetchChat(id);
      }}
      className="group flex h-70 border-b border-line py-11"
    >
      <Voices chat={chat} modelName={modelName} />
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-16">
          <span className="min-w-0 flex-1 truncate text-14 font-medium text-ink">{title || "New Chat"} </span>
          <span className="shrink-0 text-12 text-ink2 tabular-nums">{rowTime(at, today)}</span>
        </span>
        <span className="flex items-baseline gap-8">
          {preview && (
            <span
              dir="auto"
              // A slanted quotation mark stands out of its own place, where it would be cut.
              className="-mx-4 truncate px-4 font-serif text-15/24 text-ink2 italic transition-colors duration-120 group-hover:text-ink"
            >
              “{preview}”
            </span>
          )}
          {sender && <span className="shrink-0 text-12 text-ink2"> {sender}</span>}
        </span>
      </span>
    </Link>
  );
}

/** Whoever spoke last, and who shared the chat: a square for a model, a circle for a person. */
function Voices({ chat, modelName }: { chat: Chat; modelName: string }) {
  const { user } = useSession();
  return (
    <span className="flex w-72 shrink-0 gap-3 pt-2">
      {voicesOf(chat, user?.display_name ?? "").map((voice) =>
        voice.kind === "model" ? (
          <ModelTile key={voice.id} id={voice.id} name={modelName} />
        ) : (
          <Avatar key={voice.name} name={voice.name} image={voice.isReader ? (user?.profile_image ?? null) : null} size={18} />
        ),
      )}
    </span>
  );
}

/** Who speaks in a chat, as its row knows. */
type Voice = { kind: "model"; id: string } | { kind: "person"; name: string; isReader: boolean };

type Row = Pick<Chat, "lastMessageSender" | "lastMessageModel" | "sharedByName">;

/** Whose the last message is, and who shared the chat, each once. */
export function voicesOf({ lastMessageSender: sender, lastMessageModel: modelId, sharedByName: sharer }: Row, reader: string): Voice[] {
  const voices: Voice[] = [];
  if (modelId !== null) voices.push({ kind: "model", id: modelId });
  else if (sender !== "") voices.push({ kind: "person", name: sender === "You" ? reader : sender, isReader: sender === "You" });
  if (sharer !== null && sharer !== sender) voices.push({ kind: "person", name: sharer, isReader: false });
  return voices;
}
