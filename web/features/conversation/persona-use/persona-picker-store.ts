import { createPickerSwitch } from "#web/ui/picker/picker-switch.ts";

const picker = createPickerSwitch();

/** Opens the persona picker of the composer on screen: for `/persona`, and for the palette. */
export const openPersonaPicker = picker.open;

/** Closes it. */
export const closePersonaPicker = picker.close;

/** What Cmd/Ctrl+Shift+O and the button do. */
export const togglePersonaPicker = picker.toggle;

/** Whether it is open. */
export const usePersonaPickerOpen = picker.useIsOpen;
