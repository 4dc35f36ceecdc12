import { useId } from "react";
import { cx } from "#web/ui/cx.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";

type KeepNothingProps = { keepsNothing: boolean; onChange: (keepsNothing: boolean) => void; className?: string };

/** Whether whoever signs in wants nothing to stay on the device. */
export function KeepNothing({ keepsNothing, onChange, className }: KeepNothingProps) {
  const hint = useId();
  return (
    <div className={cx("border-t border-line pt-8", className)}>
      <Checkbox
        label="Keep nothing on this device"
        aria-describedby={hint}
        checked={keepsNothing}
        onChange={({ target }) => onChange(target.checked)}
      />
      <p id={hint} className="ml-26 text-13 text-pretty text-ink3">
        For a device that is not yours: you are signed out when the browser is closed, or after 12 hours without use, and nothing can be
        read offline.
      </p>
    </div>
  );
}
