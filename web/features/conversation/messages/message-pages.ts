import type { InfiniteData } from "@tanstack/react-query";
import type { Message } from "#shared/entities/message.ts";

/** One answer of the message list: a stretch of the path in reading order, and where older ones start. */
export type MessagePage = { messages: Message[]; nextCursor: string | null };

/** The cached path of a chat: pages newest first, as they were loaded. */
export type MessagePages = InfiniteData<MessagePage, string | undefined>;

/** The path in reading order. */
export function pathOf(pages: MessagePages | undefined): Message[] {
  return pages ? pages.pages.toReversed().flatMap((page) => page.messages) : [];
}

/** A path that is known whole or from its newest page on. */
export function pagesOf(page: MessagePage): MessagePages {
  return { pages: [page], pageParams: [undefined] };
}

/** A long stretch of the path up to its end, in pages of the usual size, so reading it again reads all of it. */
export function splitPages({ messages, nextCursor }: MessagePage, size: number): MessagePages {
  const pages: MessagePage[] = [];
  const pageParams: (string | undefined)[] = [undefined];
  for (let end = messages.length; end > 0 || pages.length === 0; end -= size) {
    const part = messages.slice(Math.max(0, end - size), end);
    const first = part[0]?.id ?? null;
    const isOldest = end <= size;
    pages.push({ messages: part, nextCursor: isOldest ? nextCursor : first });
    if (!isOldest && first !== null) pageParams.push(first);
  }
  return { pages, pageParams };
}

/** The path with messages added at its end; those already in it are replaced where they stand. */
export function appendMessages(pages: MessagePages | undefined, messages: Message[]): MessagePages {
  const base = pages ?? pagesOf({ messages: [], nextCursor: null });
  const knownIds = new Set(pathOf(base).map((message) => message.id));
  const replaced = messages.filter((message) => knownIds.has(message.id)).reduce(replaceMessage, base);
  const [newest = { messages: [], nextCursor: null }, ...older] = replaced.pages;
  const added = messages.filter((message) => !knownIds.has(message.id));
  return { ...replaced, pages: [{ ...newest, messages: [...newest.messages, ...added] }, ...older] };
}

/** The path up to, and without, one message: where a new branch starts. Unchanged when the message is not in it. */
export function cutBefore(pages: MessagePages, messageId: string): MessagePages {
  const index = pages.pages.findIndex((page) => page.messages.some((message) => message.id === messageId));
  const page = pages.pages[index];
  if (page === undefined) return pages;
  const before = page.messages.slice(
    0,
    page.messages.findIndex((message) => message.id === messageId),
  );
  const older = pages.pages.slice(index + 1);
  return {
    pages: [{ ...page, messages: before }, ...older],
    pageParams: [undefined, ...pages.pageParams.slice(index + 1)],
  };
}

/** The path with one message exchanged by id. */
export function replaceMessage(pages: MessagePages, replacement: Message): MessagePages {
  return {
    ...pages,
    pages: pages.pages.map((page) =>
      page.messages.some((message) => message.id === replacement.id)
        ? { ...page, messages: page.messages.map((message) => (message.id === replacement.id ? replacement : message)) }
        : page,
    ),
  };
}
