import { Paperclip } from "lucide-react";

/** Shows while files are held over the chat that they can be let go. */
export function DropOverlay() {
  return (
    <div aria-hidden className="pointer-events-none fixed inset-0 z-40 flex items-center justify-center bg-bg/80">
      <p className="flex items-center gap-10 rounded-18 border border-dashed border-line-strong bg-s2 px-28 py-20 text-16 font-medium text-ink shadow-overlay">
        <Paperclip className="size-20 text-accent" />
        Drop files to attach them
      </p>
    </div>
  );
}
