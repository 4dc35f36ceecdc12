import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { updateUser } from "#shared/contracts/users.ts";
import type { User } from "#shared/entities/user.ts";
import { DISPLAY_NAME_LENGTH } from "#shared/limits.ts";
import { setSessionUser } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { TextField } from "#web/ui/text-field.tsx";

/** The name others see, and the address that signs in. */
export function ProfileForm({ user }: { user: User }) {
  const [name, setName] = useState(user.display_name);
  const save = useMutation({
    mutationFn: (display_name: string) => call(updateUser, { body: { display_name } }),
    onSuccess: ({ user: saved }) => {
      setSessionUser(saved);
      setName(saved.display_name);
    },
  });
  const changed = name.trim() !== user.display_name;
  return (
    <form
      noValidate
      className="space-y-16"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !save.isPending) save.mutate(name);
      }}
    >
      <div className="flex items-center gap-12">
        <Avatar name={name || user.display_name} image={user.profile_image} size={32} />
        <div className="min-w-0">
          <p className="truncate text-14 font-medium text-ink">{user.display_name}</p>
          <p className="truncate text-13 text-ink2">{user.email}</p>
        </div>
      </div>
      <div className="flex items-start gap-8">
        <TextField
          label="Name"
          name="display_name"
          autoComplete="name"
          className="flex-1"
          maxLength={DISPLAY_NAME_LENGTH}
          value={name}
          error={save.error?.message}
          onChange={(event) => {
            setName(event.target.value);
            save.reset();
          }}
        />
        <Button type="submit" variant={changed ? "primary" : "secondary"} className="mt-26" busy={save.isPending} disabled={!changed}>
          {save.isSuccess && !changed ? "Saved" : "Save"}
        </Button>
      </div>
    </form>
  );
}
