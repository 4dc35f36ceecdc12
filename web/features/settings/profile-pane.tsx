import { useState } from "react";
import type { User } from "#shared/entities/user.ts";
import { DISPLAY_NAME_LENGTH } from "#shared/limits.ts";
import { PictureField } from "#web/features/profile-picture/picture-field.tsx";
import { useSaveUser } from "#web/features/session/use-save-user.ts";
import { Button } from "#web/ui/button.tsx";
import { TextField } from "#web/ui/text-field.tsx";
import { SubPane } from "./sub-pane.tsx";

/** The name and picture others see, and the address that signs in. */
export function ProfilePane({ user }: { user: User }) {
  return (
    <SubPane title="Profile" about="Your name and picture are what people see in chats that you share with them.">
      <div className="space-y-24">
        <PictureField user={user} />
        <NameForm user={user} />
        <div>
          <p className="text-13 font-medium text-ink">Address</p>
          <p className="mt-2 text-14 break-words text-ink2">{user.email}</p>
        </div>
      </div>
    </SubPane>
  );
}

function NameForm({ user }: { user: User }) {
  const [name, setName] = useState(user.display_name);
  const save = useSaveUser();
  const changed = name.trim() !== user.display_name;
  return (
    <form
      noValidate
      className="flex items-start gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        if (changed && !save.isPending) {
          save.mutate({ display_name: name }, { onSuccess: ({ user: saved }) => setName(saved.display_name) });
        }
      }}
    >
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
    </form>
  );
}
