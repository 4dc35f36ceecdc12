import { type RefObject, useLayoutEffect } from "react";

const sizesItself = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");

/** Lets a text area grow with its text, within its own minimum and maximum height, where the browser does not do so itself. Its component renders with each change of the text. */
export function useAutosize(ref: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const field = ref.current;
    if (sizesItself || !field) return;
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight}px`;
  });
}
