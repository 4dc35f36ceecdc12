import { type ReactNode, useState } from "react";
import type { KnowledgePlace } from "#shared/knowledge-citations.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const PassageDialog = lazyPart(async () => (await import("./passage-dialog.tsx")).default);

export type PassageButtonProps = { place: KnowledgePlace; title: string; label: string; className: string; children: ReactNode };

/** What opens the passage that an answer cites. */
export default function PassageButton({ place, title, label, className, children }: PassageButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" aria-label={label} title={title} onClick={() => setIsOpen(true)} className={className}>
        {children}
      </button>
      {isOpen && <PassageDialog place={place} title={title} onClose={() => setIsOpen(false)} />}
    </>
  );
}
