import { type RefObject, useEffect, useLayoutEffect } from "react";

const sizesItself = typeof CSS !== "undefined" && CSS.supports("field-sizing", "content");

/** Lets a text area grow with its text, within its own minimum and maximum height, where the browser does not do so itself. Its component renders with each change of the text. */
export function useAutosize(ref: RefObject<HTMLTextAreaElement | null>): void {
  useLayoutEffect(() => {
    const field = ref.current;
    if (!sizesItself && field) fit(field);
  });
  useEffect(() => {
    const field = ref.current;
    if (sizesItself || !field) return undefined;
    let width = field.clientWidth;
    const sizes = new ResizeObserver(() => {
      if (field.clientWidth !== width) fit(field);
      width = field.clientWidth;
    });
    sizes.observe(field);
    return () => sizes.disconnect();
  }, [ref]);
}

function fit(field: HTMLTextAreaElement): void {
  const around = field.parentElement;
  // While it is measured nothing around it may move: what scrolls would lose its place.
  around?.style.setProperty("min-height", `${around.offsetHeight}px`);
  field.style.height = "0";
  const borders = field.offsetHeight - field.clientHeight;
  field.style.height = `${field.scrollHeight + borders}px`;
  around?.style.removeProperty("min-height");
}
