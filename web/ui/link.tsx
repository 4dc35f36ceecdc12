import type { ComponentProps, MouseEvent } from "react";
import { createPath, useHref, useLocation, useNavigate } from "react-router";

type LinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** A path of this product. */
  to: string;
  /** Takes the place of the current history entry. */
  replace?: boolean;
  /** What goes along, unseen in the address. */
  state?: unknown;
};

/** A link to another screen. The router's own brings along what prefetches a server's routes, which nothing here has. */
export function Link({ to, replace, state, target, onClick, children, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const href = useHref(to);
  const location = useLocation();
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event) || (target !== undefined && target !== "_self")) return;
    event.preventDefault();
    void navigate(to, { replace: replace ?? createPath(location) === href, state });
  };
  return (
    <a {...rest} href={href} target={target} onClick={follow}>
      {children}
    </a>
  );
}

/** False for what opens another tab or window, or saves. */
function isPlainClick({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;
}
