import { Link } from "./link.tsx";

/** What is shown where there is nothing to see: an address that leads nowhere, a chat of somebody else or of nobody. */
export function DeadEnd({ title, text }: { title: string; text?: string }) {
  return (
    <div className="mx-auto flex w-full max-w-752 flex-1 flex-col justify-center px-16 pb-[18dvh]">
      <h1 className="font-serif text-28 text-balance">{title}</h1>
      {text !== undefined && <p className="mt-8 text-15 text-ink2">{text}</p>}
      <Link
        to="/"
        className="mt-20 inline-flex h-36 items-center self-start rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44"
      >
        New Chat
      </Link>
    </div>
  );
}
