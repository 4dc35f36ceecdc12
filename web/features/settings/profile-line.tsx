import type { Ref } from "react";
import type { User } from "#shared/entities/user.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { useSettings } from "./use-settings.ts";

/** Who this is, as others see them, and the way to change it. */
export function ProfileLine({ user, editRef }: { user: User; editRef: Ref<HTMLButtonElement> | undefined }) {
  const settings = useSettings();
  return (
    <div className="flex items-center gap-12 border-b border-line pb-14 min-[768px]:pr-48">
      <Avatar name={user.display_name} image={user.profile_image} size={36} />
      <div className="min-w-0">
        <p className="truncate text-14 font-medium text-ink">{user.display_name}</p>
        <p className="truncate text-13 text-ink2">{user.email}</p>
      </div>
      <Button
        ref={editRef}
        size="sm"
        className="ml-12 max-[767px]:ml-auto"
        aria-label="Edit profile"
        onClick={() => settings.enter("profile")}
      >
        Edit
      </Button>
    </div>
  );
}
