import { openModelSelector } from "#web/features/conversation/models/selector-store.ts";
import { openPersonaPicker } from "#web/features/conversation/persona-use/persona-picker-store.ts";

/** A second way to the composer's pickers, as some browsers keep their keys to themselves. */
export const PICKER_COMMANDS = [
  { command: "/model", label: "Switch model", about: "Who answers from the next message on.", run: openModelSelector },
  { command: "/persona", label: "Switch persona", about: "How the model speaks from the next message on.", run: openPersonaPicker },
] as const;
