import type { ComponentProps } from "react";
import { Avatar } from "#web/ui/avatar.tsx";

type AvatarButtonProps = ComponentProps<"button"> & { name: string; image?: string | null };

/** A person's picture as the button of their menu. */
export function AvatarButton({ name, image = null, ...rest }: AvatarButtonProps) {
  return (
    <button
      type="button"
      aria-label={`Profile: ${name}`}
      className="inline-flex size-44 items-center justify-center rounded-full"
      {...rest}
    >
      <Avatar name={name} image={image} size={32} />
    </button>
  );
}
