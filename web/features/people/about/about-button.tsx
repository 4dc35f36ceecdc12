import { useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useEver } from "#web/lib/use-ever.ts";

const AboutDialog = lazyPart(async () => (await import("./about-dialog.tsx")).default);

/** Opens what there is to know about the product. */
export function AboutButton({ className }: { className?: string }) {
  const [open, setOpen] = useState(false);
  const used = useEver(open);
  return (
    <>
      <button type="button" className={cx("rounded-6", className)} onClick={() => setOpen(true)}>
        About
      </button>
      {used && <AboutDialog open={open} onOpenChange={setOpen} />}
    </>
  );
}
