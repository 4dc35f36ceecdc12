import { type Deeplink, deeplinkParts } from "./deeplink.ts";

/** A link as it is written, its parameters' names distinct from their values. */
export function DeeplinkText({ link }: { link: Deeplink }) {
  return (
    <>
      {`${location.origin}/new`}
      {deeplinkParts(link).map(([name, value], place) => (
        <span key={name} className="text-ink2">
          {place === 0 ? "?" : "&"}
          <span className="font-semibold text-accent">{name}</span>
          {`=${value}`}
        </span>
      ))}
    </>
  );
}
