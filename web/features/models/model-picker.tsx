import { useMemo } from "react";
import { Drawer } from "#web/ui/drawer.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import { AUTOPILOT } from "./autopilot-model.ts";
import { ModelDropdown, type ModelDropdownProps } from "./model-dropdown.tsx";
import { ModelList } from "./model-list.tsx";

type ModelPickerProps = ModelDropdownProps & {
  open: boolean;
  /** Whether the choice may be left to the product. */
  hasAutopilot?: boolean;
};

/** The list of models: a dropdown, or a drawer at 768 px and less. Loaded with the first opening. */
export default function ModelPicker({ hasAutopilot = false, ...given }: ModelPickerProps) {
  const isMobile = useIsMobile();
  const { models } = given;
  // After 'Auto', which is first; before the list is there it stays empty.
  const offered = useMemo(
    () => (hasAutopilot && models.length > 0 ? [...models.slice(0, 1), AUTOPILOT, ...models.slice(1)] : models),
    [hasAutopilot, models],
  );
  const props = { ...given, models: offered };
  if (!isMobile) return props.open && <ModelDropdown {...props} />;
  const { open, onClose, ...list } = props;
  return (
    <Drawer
      open={open}
      onOpenChange={(next) => !next && onClose()}
      side="bottom"
      title="Switch model"
      className="h-[min(664px,calc(100dvh-var(--safe-top)-24px))]"
    >
      <ModelList {...list} isTouch onClose={onClose} />
    </Drawer>
  );
}
