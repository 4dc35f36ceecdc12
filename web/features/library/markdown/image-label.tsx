import { Image } from "lucide-react";

/** How a label looks, whatever it does. */
export const IMAGE_LABEL =
  "inline-flex max-w-full items-center gap-6 rounded-6 bg-s3 px-8 align-bottom text-13 leading-26 text-ink transition-colors duration-120";

/** What an image shows and where it would come from. */
export function ImageLabel({ verb, name, host }: { verb: string; name: string; host: string | undefined }) {
  return (
    <>
      <Image aria-hidden className="size-14 text-ink2" />
      <span className="sr-only">{verb} </span>
      <span className="truncate">{name}</span>
      <span className="truncate text-ink2">{host}</span>
    </>
  );
}
