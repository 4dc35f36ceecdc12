import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { HomeNewsProps } from "./home-news.tsx";

/** What waits, which comes after the first screen into the line that is kept free for it. */
export const LazyHomeNews = lazyPart<HomeNewsProps>(async () => (await import("./home-news.tsx")).HomeNews, Space);

function Space() {
  return <p className="mt-6 min-h-52 desk:min-h-26" />;
}
