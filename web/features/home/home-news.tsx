import { useMemo } from "react";
import { useChats } from "#web/features/sidebar/use-chats.ts";
import { Link } from "#web/ui/link.tsx";
import { newsOf } from "./news.ts";

/** What waits, in the line that is kept free for it. */
export function HomeNews() {
  const { data } = useChats("inbox");
  const news = useMemo(
    () =>
      data &&
      newsOf(
        data.pages.flatMap(({ chats }) => chats),
        data.pages[0]?.unreadCount ?? 0,
      ),
    [data],
  );
  return (
    <p className="mt-6 line-clamp-2 min-h-52 text-15 text-ink2 desk:line-clamp-1 desk:min-h-26">
      {news && (
        <>
          <span aria-hidden className="mr-8 inline-block size-7 rounded-full bg-signal align-[2px]" />
          <Link
            to={`/c/${news.chat.id}`}
            className="text-ink underline decoration-line-strong decoration-1 underline-offset-4 transition-colors duration-120 hover:decoration-ink"
          >
            {news.chat.title}
          </Link>
          {news.rest}
        </>
      )}
    </p>
  );
}
