import { Link } from "#web/ui/link.tsx";

/** One and the same screen for a chat of somebody else, of nobody, and an address that cannot be one. */
export function ChatNotFound() {
  return (
    <div className="flex min-h-0 flex-1 flex-col items-center justify-center gap-20 px-24 pb-52 text-center">
      <h1 className="max-w-400 font-serif text-21 text-balance text-ink">This chat doesn't exist, or you have no access to it.</h1>
      <Link
        to="/"
        className="inline-flex h-36 items-center rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink transition-colors duration-120 hover:bg-accent-hover touch:h-44"
      >
        New Chat
      </Link>
    </div>
  );
}
