import { Dialog } from "@base-ui/react/dialog";
import { useRef, type KeyboardEvent, type RefObject, useEffect, useId, useLayoutEffect, useState, type ReactNode } from "react";
import { Search, X, ArrowDown, ArrowUp, CornerDownLeft } from "lucide-react";
import { useNavigate } from "react-router";
import { setCollapsed, setDrawerOpen, setView } from "#web/features/conversation/list-state/sidebar-state.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { closeSearch } from "./search-store.ts";
import { SearchChips } from "./search-chips.tsx";
import { actionItems, artifactItems, folderItems, foundItems, nameItems, type SearchItem, stepFrom } from "./search-items.ts";
import { SearchResults } from "./search-results.tsx";
import { extractFilters } from "./search-text.ts";
import { usePalette } from "./use-palette.ts";
import { useSearchActions } from "./use-search-actions.ts";

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

/** What the palette holds: the field, the filters, what was found and what can be done. The field keeps the focus. */
function SearchPanel({ input }: { input: RefObject<HTMLInputElement | null> }) {
  const palette = usePalette();
  const isMobile = useIsMobile();
  const navigate = useNavigate();
  const listId = useId();
  const found = foundItems(palette.groups, palette);
  const artifacts = artifactItems(palette.artifacts);
  const actions = actionItems(useSearchActions(palette.text));
  const names = nameItems(palette.names);
  const folders = folderItems(palette.folders);
  const items = [...names, ...found, ...folders, ...artifacts, ...actions];
  const [pointed, setPointed] = useState<string | null>(null);
  // What is highlighted stays so while rows come and go; without it the first row is.
  const active = items.find((item) => item.id === pointed) ?? items[0];
  const optionId = (id: string) => `${listId}-${id}`;
  const isAllSelected = useWasAllSelected(input);
  const keepCaret = usePreservedCaret(input);

  useEffect(() => {
    if (pointed !== null) document.getElementById(`${listId}-${pointed}`)?.scrollIntoView({ block: "nearest" });
  }, [listId, pointed]);

  const open = (item: SearchItem, inNewTab = false) => {
    if (item.kind === "unfold") return palette.unfold(item.chatId);
    if (item.kind === "older") return palette.readMore();
    if (item.kind === "name") {
      setPointed(null);
      return palette.complete(item.name);
    }
    if (item.kind === "folder") showFolder(item.folder.id);
    if (item.kind === "action") item.action.run?.();
    if (item.to !== null && inNewTab) window.open(item.to, "_blank", "noopener");
    // In the place of the palette's own entry, so Back returns to what was there before it.
    else if (item.to !== null) void navigate(item.to, { replace: true });
    closeSearch();
  };

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (event.key === "ArrowDown" || event.key === "ArrowUp")
      setPointed(stepFrom(items, active?.id ?? null, event.key === "ArrowDown" ? 1 : -1));
    else if (event.key === "Enter" && active) open(active, event.metaKey || event.ctrlKey);
    else if (event.key === "Backspace" && selectionStart === 0 && selectionEnd === 0) return palette.dropLast();
    else return;
    event.preventDefault();
  };

  return (
    <>
      <div className="flex h-56 shrink-0 items-center gap-12 pr-12 pl-18">
        <Search aria-hidden className="size-18 shrink-0 text-ink3" />
        <input
          ref={input}
          // Not of type search: its own cross stands where the closing one is.
          type="text"
          role="combobox"
          aria-label="Search"
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={active && optionId(active.id)}
          placeholder={isMobile ? "Search chats and actions" : "Search chats, messages and actions"}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={200}
          value={palette.text}
          onChange={(event) => {
            const { value, selectionStart } = event.target;
            palette.type(value, isAllSelected.current);
            keepCaret(value, selectionStart ?? value.length);
            setPointed(null);
          }}
          onKeyDown={onKeyDown}
          className="min-w-0 flex-1 bg-transparent text-18 text-ink outline-none placeholder:text-ink3"
        />
        <IconButton label="Close" icon={X} tooltip={false} onClick={closeSearch} />
      </div>
      <SearchChips
        kind={palette.kind}
        chips={palette.chips}
        onKind={(kind) => {
          palette.setKind(kind);
          input.current?.focus();
        }}
        onToggle={(chip) => {
          palette.toggle(chip);
          input.current?.focus();
        }}
      />
      <SearchResults
        id={listId}
        palette={palette}
        names={names}
        found={found}
        folders={folders}
        artifacts={artifacts}
        actions={actions}
        activeId={active?.id ?? null}
        optionId={optionId}
        onPoint={setPointed}
        onOpen={(item) => open(item)}
      />
      <SearchFooter />
    </>
  );
}

/** Opens a folder in the sidebar, wherever that stands. */
function showFolder(id: string): void {
  setView("all", { folder: id });
  setCollapsed(false);
  setDrawerOpen(true);
}

/** Puts the caret where a filter was lifted out of the text; otherwise it would go to the end, as whenever a field gets another text. */
function usePreservedCaret(input: RefObject<HTMLInputElement | null>): (typed: string, caret: number) => void {
  const place = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (place.current !== null) input.current?.setSelectionRange(place.current, place.current);
    place.current = null;
  });
  return (typed, caret) => {
    if (extractFilters(typed).text !== typed) place.current = extractFilters(typed.slice(0, caret)).text.length;
  };
}

/** Whether the whole text was selected when it was changed last: then it was replaced, not written on. */
function useWasAllSelected(input: RefObject<HTMLInputElement | null>): RefObject<boolean> {
  const wasAllSelected = useRef(false);
  useEffect(() => {
    const field = input.current;
    if (!field) return undefined;
    const note = () => {
      wasAllSelected.current = field.value !== "" && field.selectionStart === 0 && field.selectionEnd === field.value.length;
    };
    field.addEventListener("beforeinput", note);
    return () => field.removeEventListener("beforeinput", note);
  }, [input]);
  return wasAllSelected;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The palette's keys. */
function SearchFooter() {
  return (
    <div className="hidden h-40 shrink-0 items-center gap-20 border-t border-line px-18 text-12 text-ink3 desk:flex touch:hidden">
      <Key
        name="Up and down"
        keys={
          <>
            <ArrowUp aria-hidden className="size-12" />
            <ArrowDown aria-hidden className="size-12" />
          </>
        }
      >
        Move
      </Key>
      <Key name="Enter" keys={<CornerDownLeft aria-hidden className="size-12" />}>
        Open
      </Key>
      <Key
        name={isApple ? "Command Enter" : "Control Enter"}
        keys={
          <>
            {isApple ? "⌘" : "Ctrl"}
            <CornerDownLeft aria-hidden className="size-12" />
          </>
        }
      >
        Open in a new tab
      </Key>
      <span className="flex-1" />
      <Key name="Escape" keys="esc">
        Close
      </Key>
    </div>
  );
}

type KeyProps = {
  /** The keys in words. */
  name: string;
  keys: ReactNode;
  children: ReactNode;
};

function Key({ name, keys, children }: KeyProps) {
  return (
    <span className="inline-flex items-center gap-8">
      <kbd aria-hidden className="inline-flex items-center gap-4 font-sans font-medium text-ink2">
        {keys}
      </kbd>
      <span className="sr-only">{name}: </span>
      {children}
    </span>
  );
}
