import { use, useState } from "react";
import { hostOf, safeUrl } from "#shared/markdown/safe-url.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { ImageContext } from "./image-context.ts";
import { IMAGE_LABEL, ImageLabel } from "./image-label.tsx";
import type { RemoteImageProps } from "./remote-image.tsx";

const RemoteImage = lazyPart<RemoteImageProps>(
  async () => (await import("./remote-image.tsx")).RemoteImage,
  ({ name, href }) => (
    <span className={IMAGE_LABEL}>
      <ImageLabel verb="Loading image:" name={name} host={hostOf(href)} />
    </span>
  ),
);

/** A picture that was uploaded to an artifact. */
const OWN_PICTURE = /^\/api\/artifacts\/[0-9a-f-]{36}\/files\/[0-9a-f-]{36}$/;

/** Stands for an image: nothing is loaded from elsewhere by itself, so it names its host and is shown when that is wanted. */
export function ImageLink({ url, alt }: { url: string; alt?: string | null }) {
  const image = use(ImageContext);
  const [isWanted, setIsWanted] = useState(false);
  const href = safeUrl(url);
  const name = alt?.trim() || "Image";
  if (image.kind === "artifact" && OWN_PICTURE.test(url)) {
    return <img src={url} alt={name} loading="lazy" className="max-h-480 max-w-full rounded-8 bg-s3" />;
  }
  if (!href) return name;
  const host = hostOf(href);
  if (image.kind === "text") {
    return (
      <span className={IMAGE_LABEL}>
        <ImageLabel verb="Image:" name={name} host={host} />
      </span>
    );
  }
  if (image.kind !== "message" || host === undefined) {
    return (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={`${IMAGE_LABEL} hover:bg-s4`}>
        <ImageLabel verb="Image:" name={name} host={host} />
      </a>
    );
  }
  if (isWanted) return <RemoteImage chatId={image.chatId} messageId={image.messageId} url={url} href={href} name={name} />;
  return (
    <button type="button" title={href} onClick={() => setIsWanted(true)} className={`${IMAGE_LABEL} hover:bg-s4 touch:min-h-44`}>
      <ImageLabel verb="Show image:" name={name} host={host} />
    </button>
  );
}
