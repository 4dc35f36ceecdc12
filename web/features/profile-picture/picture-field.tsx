import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { deletePicture, putPicture } from "#shared/contracts/account/users.ts";
import type { User } from "#shared/entities/user.ts";
import { setSessionUser } from "#web/features/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { upload } from "#web/lib/upload.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { type Crop, wholeCrop } from "./crop.ts";
import { Cropper } from "./cropper.tsx";
import { type OpenedPicture, cutPicture, openPicture } from "./picture-file.ts";

type Cropping = OpenedPicture & { crop: Crop };

/** The picture others see: chosen, cropped to a square, kept; what fails says why, and the section that was found stays. */
export function PictureField({ user }: { user: User }) {
  const input = useRef<HTMLInputElement>(null);
  const [cropping, setCropping] = useState<Cropping | null>(null);
  const address = cropping?.address;
  useEffect(() => (address === undefined ? undefined : () => URL.revokeObjectURL(address)), [address]);
  const changeCrop = useCallback((change: (crop: Crop) => Crop) => setCropping((held) => held && { ...held, crop: change(held.crop) }), []);
  const open = useMutation({
    mutationFn: openPicture,
    onSuccess: (opened) => setCropping({ ...opened, crop: wholeCrop(opened.sides) }),
  });
  const keep = useMutation({
    mutationFn: async ({ image, crop }: Cropping) => {
      const body = await cutPicture(image, crop);
      return upload(putPicture, {}, { body, type: body.type, signal: new AbortController().signal, onProgress: () => undefined });
    },
    onSuccess: ({ user: saved }) => {
      setSessionUser(saved);
      setCropping(null);
    },
  });
  const remove = useMutation({
    mutationFn: () => call(deletePicture, {}),
    onSuccess: ({ user: saved }) => setSessionUser(saved),
  });
  const error = open.error ?? keep.error ?? remove.error;
  const forget = () => [open, keep, remove].forEach((mutation) => mutation.reset());
  return (
    <section aria-label="Picture">
      {cropping ? (
        <div className="flex flex-wrap items-start gap-24">
          <Cropper address={cropping.address} picture={cropping.sides} crop={cropping.crop} onCrop={changeCrop} />
          <div className="flex gap-8">
            <Button variant="primary" busy={keep.isPending} onClick={() => keep.mutate(cropping)}>
              Save picture
            </Button>
            <Button
              onClick={() => {
                forget();
                setCropping(null);
              }}
            >
              Cancel
            </Button>
          </div>
        </div>
      ) : (
        <div className="flex items-center gap-16">
          <Avatar name={user.display_name} image={user.profile_image} size={72} />
          <Button busy={open.isPending} onClick={() => input.current?.click()}>
            {user.profile_image === null ? "Add picture" : "Change picture"}
          </Button>
          {user.profile_image !== null && (
            <Button variant="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
              Remove picture
            </Button>
          )}
        </div>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Picture file"
        accept="image/*"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          forget();
          if (file) open.mutate(file);
          // The same file may be chosen again.
          currentTarget.value = "";
        }}
      />
      {error && (
        <p role="alert" className="mt-8 text-13 text-danger">
          {error.message}
        </p>
      )}
    </section>
  );
}
