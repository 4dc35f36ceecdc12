import { ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import { offerImage } from "#shared/contracts/chat/media.ts";
import { hostOf } from "#shared/markdown/safe-url.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { IMAGE_LABEL, ImageLabel } from "./image-label.tsx";

export type RemoteImageProps = {
  chatId: string;
  messageId: string;
  /** As it stands in the message. */
  url: string;
  href: string;
  name: string;
};

type State = { kind: "loading" } | { kind: "offered" | "shown"; src: string } | { kind: "failed"; message: string };

const FAILED: State = { kind: "failed", message: "This image could not be loaded." };

/** A foreign image that somebody asked to see: it comes through our own server, and its host learns nothing of the reader. */
export function RemoteImage({ chatId, messageId, url, href, name }: RemoteImageProps) {
  const [state, setState] = useState<State>({ kind: "loading" });
  useEffect(() => {
    const unmounted = new AbortController();
    call(offerImage, { params: { id: chatId, messageId }, query: { url } }, { signal: unmounted.signal }).then(
      ({ url: src }) => setState({ kind: "offered", src }),
      (error: unknown) => {
        if (!unmounted.signal.aborted) setState(error instanceof ApiError ? { kind: "failed", message: error.message } : FAILED);
      },
    );
    return () => unmounted.abort();
  }, [chatId, messageId, url]);

  const host = hostOf(href);
  const origin = (
    <a
      ref={takeLostFocus}
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="rounded-[2px] text-ink2 underline underline-offset-3"
    >
      {host}
    </a>
  );
  if (state.kind === "failed") {
    return (
      <span role="alert" className="my-4 flex max-w-full gap-8 rounded-8 bg-s3 px-12 py-8 text-13 text-ink">
        <ImageOff aria-hidden className="mt-2 size-16 shrink-0 text-ink2" />
        <span className="min-w-0">
          {`${name}: ${state.message} `}
          {origin}
        </span>
      </span>
    );
  }
  const isShown = state.kind === "shown";
  return (
    <>
      {!isShown && (
        <span aria-busy className={IMAGE_LABEL}>
          <ImageLabel verb="Loading image:" name={name} host={host} />
          <span aria-hidden className="thinking-dot" />
        </span>
      )}
      {state.kind !== "loading" && (
        <span hidden={!isShown} className="my-8 block">
          <img
            src={state.src}
            alt={name}
            onLoad={() => setState({ ...state, kind: "shown" })}
            onError={() => setState(FAILED)}
            className="max-h-480 max-w-full rounded-8 bg-s3"
          />
          {isShown && <span className="block pt-4 text-12">{origin}</span>}
        </span>
      )}
    </>
  );
}

/** The button that asked for the image is gone: whoever was on it goes on here. */
function takeLostFocus(link: HTMLElement | null): void {
  if (document.activeElement === document.body) link?.focus({ preventScroll: true });
}
