import { Link } from "#web/ui/link.tsx";

/** One and the same screen for a chat of somebody else, of nobody, and an address that cannot be one. */
export function ChatNotFound() {
  return (
    <div className="mx-auto flex w-full max-w-752 flex-1 flex-col justify-center px-16 pb-[18dvh]">
      <h1 className="font-serif text-28 text-balance">This chat doesn't exist, or you have no access to it.</h1>
      <Link
        to="/"
        className="mt-20 inline-flex h-36 items-center self-start rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44"
      >
        New Chat
      </Link>
    </div>
  );
}
