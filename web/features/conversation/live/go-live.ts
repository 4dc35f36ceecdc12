import { followChats } from "#web/features/conversation/chat-list/follow-chats.ts";
import { oldestCachedCursor } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { connectLive } from "#web/lib/live-socket.ts";
import { startAttention } from "./attention.ts";

export type Live = {
  /** This chat is on screen now, or none. */
  attend: (chatId: string | null) => void;
  stop: () => void;
};

/** Opens the tab's socket: the lists follow it, and it reports what is looked at. `onRefused` hears of connections that ended before they were open. */
export function goLive(onRefused: () => void): Live {
  const unfollow = followChats();
  const connection = connectLive({ since: oldestCachedCursor(), onRefused, onOpen: () => attention.introduce() });
  const attention = startAttention(connection.say);
  return {
    attend: attention.setWatchedChat,
    stop() {
      attention.stop();
      connection.close();
      unfollow();
    },
  };
}
