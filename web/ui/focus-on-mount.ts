/** A ref that takes the focus when its element appears: for fields that appear because the person asked for them. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus();
}
