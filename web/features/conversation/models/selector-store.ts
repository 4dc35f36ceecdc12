import { createPickerSwitch } from "#web/ui/picker/picker-switch.ts";

const selector = createPickerSwitch();

/** Opens the model selector of the composer on screen: for `/model`, and for errors that another model solves. */
export const openModelSelector = selector.open;

/** Closes it. */
export const closeModelSelector = selector.close;

/** What Cmd/Ctrl+Shift+P and the button do. */
export const toggleModelSelector = selector.toggle;

/** Whether it is open. */
export const useModelSelectorOpen = selector.useIsOpen;
