import { Dialog } from "@base-ui/react/dialog";
import { useRef } from "react";
import { SearchPanel } from "./search-panel.tsx";
import { closeSearch } from "./search-store.ts";

/** The palette: 640 wide and 96 from the top, on phones the whole window. */
export default function SearchDialog({ open }: { open: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && closeSearch()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-180 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport className="fixed inset-0 bottom-(--keyboard) z-40 flex items-start justify-center desk:px-16 desk:pt-[min(96px,12dvh)]">
          <Dialog.Popup
            initialFocus={input}
            className="popup flex h-full w-full flex-col overflow-hidden bg-pop pt-(--safe-top) text-ink shadow-overlay outline-none desk:h-auto desk:max-h-[min(680px,calc(100dvh-128px))] desk:w-640 desk:rounded-14 desk:border desk:border-transparent desk:pt-0 desk:dark:border-line"
          >
            <Dialog.Title className="sr-only">Search</Dialog.Title>
            <SearchPanel input={input} />
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
