import { Image } from "lucide-react";
import { hostOf, safeUrl } from "#shared/markdown/safe-url.ts";

/** Stands for an image: nothing is loaded from elsewhere by itself, so it is a link that names its host. */
export function ImageLink({ url, alt }: { url: string; alt?: string | null }) {
  const href = safeUrl(url);
  const name = alt?.trim() || "Image";
  if (!href) return name;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="inline-flex max-w-full items-center gap-6 rounded-6 bg-s3 px-8 align-bottom text-13 leading-26 text-ink transition-colors duration-120 hover:bg-s4"
    >
      <Image aria-hidden className="size-14 text-ink2" />
      <span className="sr-only">Image: </span>
      <span className="truncate">{name}</span>
      <span className="truncate text-ink2">{hostOf(href)}</span>
    </a>
  );
}
