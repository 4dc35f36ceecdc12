import type { ComponentProps, MouseEvent } from "react";
import { navigate, useLocation } from "#web/lib/routing.tsx";

type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** A path of this product. */
  to: string;
  /** Takes the place of the current history entry. */
  replace?: boolean;
};

/** A link to another screen, which the browser itself follows into another tab or window. */
export function Link({ to, replace, target, onClick, children, ...rest }: LinkProps) {
  const { pathname, search, hash } = useLocation();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event) || (target !== undefined && target !== "_self")) return;
    event.preventDefault();
    navigate(to, { replace: replace ?? to === pathname + search + hash });
  };
  return (
    <a {...rest} href={to} target={target} onClick={follow}>
      {children}
    </a>
  );
}

/** False for what opens another tab or window, or saves. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
}
