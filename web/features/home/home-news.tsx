import { useMemo } from "react";
import { useChats } from "#web/features/sidebar/use-chats.ts";
import { cx } from "#web/ui/cx.ts";
import { Link } from "#web/ui/link.tsx";
import { newsByPerson, newsOf } from "./news.ts";

type HomeNewsProps = {
  /** Tells who has news, not which chat. */
  byPerson?: boolean;
  /** What follows it. */
  after?: string | null;
};

/** What waits, in the line that is kept free for it. */
export function HomeNews({ byPerson = false, after = null }: HomeNewsProps) {
  const { data } = useChats("inbox");
  const news = useMemo(
    () =>
      data &&
      (byPerson ? newsByPerson : newsOf)(
        data.pages.flatMap(({ chats }) => chats),
        data.pages[0]?.unreadCount ?? 0,
      ),
    [data, byPerson],
  );
  return (
    <p className={cx("mt-6 line-clamp-2 min-h-52 text-15 text-ink2 desk:min-h-26", after === null && "desk:line-clamp-1")}>
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
      {news && after && " "}
      {after}
    </p>
  );
}
