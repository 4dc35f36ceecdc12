import { LIST_KEYS } from "#web/features/conversation/list-state/list-keys.ts";
import { HOTKEYS, type HotkeyId, hotkeyText } from "#web/lib/hotkeys.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

const GROUPS = ["Everywhere", "In the chat", "In the list"] as const;

/** Keys that belong to a field rather than to the window. */
const COMPOSER = [
  { label: "Send", keys: "Enter" },
  { label: "New line", keys: "Shift+Enter" },
  { label: "Edit the last message, in an empty composer", keys: "↑" },
  { label: "Switch model, as a message", keys: "/model" },
] as const;

/** Keys of the tree of folders. */
const FOLDERS = [{ label: "Move a folder", keys: "Alt+Shift+↑ ↓ ← →" }] as const;

type ShortcutsDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Every shortcut, by where it works. */
export default function ShortcutsDialog({ open, onOpenChange }: ShortcutsDialogProps) {
  const ids = Object.keys(HOTKEYS).filter((id): id is HotkeyId => id in HOTKEYS);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts" width={720}>
      {/* The first two groups fill the left column, the longest one the right. */}
      <div className="gap-x-48 space-y-16 min-[720px]:columns-2">
        {GROUPS.map((group) => (
          <section key={group} className="break-inside-avoid">
            <h3 className="mb-4 text-12 font-medium text-ink3">{group}</h3>
            <dl>
              {ids
                .filter((id) => HOTKEYS[id].group === group)
                .map((id) => (
                  <Row key={id} label={HOTKEYS[id].label} keys={hotkeyText(id)} />
                ))}
              {group === "In the list" && Object.values(LIST_KEYS).map(({ label, keys }) => <Row key={keys} label={label} keys={keys} />)}
              {group === "In the list" && FOLDERS.map(({ label, keys }) => <Row key={keys} label={label} keys={keys} />)}
              {group === "In the chat" && COMPOSER.map(({ label, keys }) => <Row key={keys} label={label} keys={keys} />)}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Row({ label, keys }: { label: string; keys: string }) {
  return (
    <div className="flex min-h-32 items-center justify-between gap-16 text-14">
      <dt className="text-ink">{label}</dt>
      <dd>
        {/* Shown on touch too, as a tablet may have keys. */}
        <kbd className="font-sans text-12 text-ink3 tabular-nums">{keys}</kbd>
      </dd>
    </div>
  );
}
