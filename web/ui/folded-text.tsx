import { useId, useLayoutEffect, useRef, useState } from "react";
import { cx } from "#web/ui/cx.ts";

/** Lines that are left in sight, as `line-clamp-12` says. */
const SHOWN = 12;
/** What the button itself takes, on touch screens: no fewer lines are folded away for it. */
const BUTTON = 2;

/** A person's own text: from the thirteenth line on it is folded away. */
export function FoldedText({ text }: { text: string }) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isLong, setIsLong] = useState(false);
  const [isOpen, setIsOpen] = useState(false);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || isOpen) return undefined;
    const measure = () => setIsLong(Math.round(element.scrollHeight / parseFloat(getComputedStyle(element).lineHeight)) > SHOWN + BUTTON);
    measure();
    const onResize = new ResizeObserver(measure);
    onResize.observe(element);
    return () => onResize.disconnect();
  }, [isOpen]);

  return (
    <>
      <div
        ref={box}
        id={id}
        dir="auto"
        className={cx("[unicode-bidi:plaintext]", isLong && !isOpen && "line-clamp-12 print:line-clamp-none")}
      >
        {text}
      </div>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className="mt-4 block rounded-6 text-13 text-ink2 transition-colors duration-120 hover:text-ink touch:min-h-44 print:hidden"
        >
          {isOpen ? "Show less" : "Show more"}
        </button>
      )}
    </>
  );
}
