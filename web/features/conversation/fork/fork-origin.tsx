import { GitBranch } from "lucide-react";
import type { ForkOrigin as Origin } from "#shared/entities/chat.ts";
import { Link } from "#web/ui/link.tsx";

/** The way back to the chat that a fork began in. */
export default function ForkOrigin({ origin }: { origin: Origin }) {
  return (
    <p className="mx-auto flex w-full max-w-792 min-w-0 shrink-0 items-center gap-6 px-16 pb-4 text-12 text-ink3 desk:px-36">
      <GitBranch aria-hidden className="size-12 shrink-0" />
      <span className="shrink-0">Forked from</span>
      <Link to={`/c/${origin.chat_id}`} className="min-w-0 truncate text-ink2 underline-offset-2 hover:text-ink hover:underline">
        {origin.title || "New Chat"}
      </Link>
    </p>
  );
}
