import { Drawer } from "#web/ui/dialog/drawer.tsx";
import { PickerList, type PickerListProps } from "./picker/picker-list.tsx";
import { PickerPopup } from "./picker/picker-popup.tsx";
import { usePickerLayer } from "#web/ui/dialog/layers.ts";
import { CARD_WIDTH, GAP } from "./picker/popup-place.ts";
import { useIsMobile } from "./use-is-mobile.ts";

type PickerProps<T> = PickerListProps<T> & {
  open: boolean;
  /** The button it belongs to. */
  anchor: HTMLElement;
  /** What the dropdown stands clear of; the button unless given. */
  owner?: Element | null;
  /** The accessible name of the dropdown and the drawer's title. */
  label: string;
};

/** A list to pick from, one or several: a dropdown, or a drawer at 768 px and less. To be loaded with its first use. */
export function Picker<T>({ open, anchor, owner, label, ...list }: PickerProps<T>) {
  const isMobile = useIsMobile();
  const { kind, onClose, steer } = list;
  const { width, height, card = CARD_WIDTH } = kind.size;
  usePickerLayer(isMobile && open, onClose);
  if (isMobile) {
    return (
      <Drawer
        open={open}
        onOpenChange={(next) => !next && onClose()}
        side="bottom"
        title={label}
        covers={false}
        className={height === undefined ? "pb-(--safe-bottom)" : "h-[min(664px,calc(100dvh-var(--keyboard)-var(--safe-top)-24px))]"}
      >
        <PickerList {...list} steer={undefined} isTouch />
      </Drawer>
    );
  }
  if (!open) return null;
  return (
    <PickerPopup
      anchor={anchor}
      owner={owner ?? null}
      label={label}
      width={kind.Details ? width + GAP + card : width}
      height={height}
      isScrolling={height === undefined && !kind.Details}
      onClose={onClose}
    >
      <PickerList {...list} search={steer ? undefined : list.search} isTouch={false} />
    </PickerPopup>
  );
}
