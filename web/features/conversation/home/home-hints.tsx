import { Kbd } from "#web/ui/kbd.tsx";

/** What the composer's keys do, under it on desktop. */
export function HomeHints() {
  return (
    <p className="mx-auto hidden w-full max-w-792 items-center gap-8 px-36 text-12 text-ink3 desk:flex touch:hidden">
      <Kbd>Shift+Enter</Kbd> new line
    </p>
  );
}
