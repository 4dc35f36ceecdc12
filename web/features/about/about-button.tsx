import { Suspense, lazy, useState } from "react";
import { cx } from "#web/ui/cx.ts";

const AboutDialog = lazy(() => import("./about-dialog.tsx"));

/** Opens what there is to know about the product. */
export function AboutButton({ className }: { className?: string }) {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  if (open && !used) setUsed(true);
  return (
    <>
      <button type="button" className={cx("rounded-6", className)} onClick={() => setOpen(true)}>
        About
      </button>
      {used && (
        <Suspense>
          <AboutDialog open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
