import { ImageOff } from "lucide-react";
import { useState } from "react";
import type { ToolImage } from "#shared/entities/tool-call.ts";
import { safeUrl } from "#shared/markdown/safe-url.ts";
import { hostOf, isOwnFile } from "./tool-input.ts";

/** The images that a call found, each a way to its page. They come from the product's own addresses, never from elsewhere. */
export function ToolImages({ images }: { images: readonly ToolImage[] }) {
  const own = images.filter(({ url }) => url.startsWith("/api/media/") || isOwnFile(url));
  if (own.length === 0) return null;
  return (
    <ul aria-label="Images" className="grid grid-cols-3 gap-8 pt-2 pb-12 desk:grid-cols-4 desk:pl-26">
      {own.map((image) => (
        <ImageTile key={image.url} image={image} />
      ))}
    </ul>
  );
}

function ImageTile({ image: { url, page_url, title } }: { image: ToolImage }) {
  const [isMissing, setIsMissing] = useState(false);
  const host = hostOf(page_url);
  const name = title || `Image from ${host}`;
  const href = safeUrl(page_url);
  const picture = isMissing ? (
    <span className="flex aspect-[4/3] flex-col items-center justify-center gap-6 rounded-8 bg-s3 p-8 text-center text-12 text-ink2">
      <ImageOff aria-hidden className="size-16" />
      <span className="line-clamp-2">{name}</span>
    </span>
  ) : (
    <img
      src={url}
      alt={name}
      loading="lazy"
      decoding="async"
      onError={() => setIsMissing(true)}
      className="aspect-[4/3] w-full rounded-8 bg-s3 object-cover"
    />
  );
  return (
    <li className="min-w-0">
      {href ? (
        <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={`${name} (${host})`} className="block rounded-8">
          {picture}
        </a>
      ) : (
        picture
      )}
    </li>
  );
}
