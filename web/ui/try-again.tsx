import { Button, type ButtonProps } from "./button.tsx";
import { returnFocusRef } from "./focus.ts";

type TryAgainProps = Omit<ButtonProps, "ref" | "children">;

/** Asks again for what could not be loaded; the focus stays in its place while the button gives way, and is back on it when that fails again. */
export function TryAgain({ size = "sm", ...rest }: TryAgainProps) {
  return (
    <Button ref={returnFocusRef} size={size} {...rest}>
      Try again
    </Button>
  );
}
