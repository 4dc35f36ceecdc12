import { useEffect, useEffectEvent } from "react";

/** A field elsewhere that steers a list, and what is typed into it for the list. */
export type Steer = { field: HTMLElement; query: string };

type Steered = { listId: string; activeId: string | null; onKey: (event: KeyboardEvent) => void };

/** Lets a field that is not the list's own have its keys, and shows assistive technology which option is highlighted. */
export function useSteering(steer: Steer | undefined, { listId, activeId, onKey }: Steered): void {
  const field = steer?.field;
  const press = useEffectEvent(onKey);
  useEffect(() => {
    if (!field) return undefined;
    const listen = (event: KeyboardEvent) => press(event);
    // On the field itself, before what the page does with the same keys.
    field.addEventListener("keydown", listen);
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-haspopup", "listbox");
    return () => {
      field.removeEventListener("keydown", listen);
      for (const name of ["aria-autocomplete", "aria-haspopup"]) field.removeAttribute(name);
    };
  }, [field]);
  useEffect(() => {
    if (!field || activeId === null) return undefined;
    field.setAttribute("aria-controls", listId);
    field.setAttribute("aria-activedescendant", activeId);
    return () => {
      for (const name of ["aria-controls", "aria-activedescendant"]) field.removeAttribute(name);
    };
  }, [field, listId, activeId]);
}
