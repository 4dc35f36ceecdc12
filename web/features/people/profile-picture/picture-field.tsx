import { useMutation } from "@tanstack/react-query";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from "react";
import { deletePicture, putPicture } from "#shared/contracts/account/users.ts";
import type { User } from "#shared/entities/user.ts";
import { setSessionUser } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { upload } from "#web/lib/upload.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Button } from "#web/ui/button.tsx";
import { CLOSEST, type Crop, largestCrop, moveCrop, type Sides, zoomCrop, zoomOf } from "./crop.ts";
import { PROFILE_PICTURE_BYTES } from "#shared/limits.ts";
import { Minus, Plus } from "lucide-react";

/** In px. */
const STAGE = 240;
/** One press of an arrow key moves by so much of the square; with Shift further. */
const STEP = 0.04;
const BIG_STEP = 0.2;
/** One press or turn of the wheel comes so much closer. */
const CLOSER = 1.15;

const ARROWS: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

type CropperProps = { address: string; picture: Sides; crop: Crop; onCrop: (change: (crop: Crop) => Crop) => void };

/** The picture under a round window: dragged, pinched, turned closer with the wheel, or moved by keys. */
function Cropper({ address, picture, crop, onCrop }: CropperProps) {
  const stage = useRef<HTMLButtonElement>(null);
  const fingers = useRef(new Map<number, { x: number; y: number }>());
  const scale = STAGE / crop.side;
  const zoom = zoomOf(crop, picture);
  const setZoom = (next: number) => onCrop((before) => zoomCrop(before, next, picture));

  useEffect(() => {
    const element = stage.current;
    // React's own listener could not keep the pane from scrolling.
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const around = { x: event.offsetX / STAGE, y: event.offsetY / STAGE };
      onCrop((before) => zoomCrop(before, zoomOf(before, picture) * (event.deltaY < 0 ? CLOSER : 1 / CLOSER), picture, around));
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, [onCrop, picture]);

  const onMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const now = { x: event.clientX, y: event.clientY };
    const [other] = [...fingers.current].filter(([id]) => id !== event.pointerId).map(([, place]) => place);
    fingers.current.set(event.pointerId, now);
    onCrop((held) => {
      const perPx = held.side / STAGE;
      if (!other) return moveCrop(held, { x: (before.x - now.x) * perPx, y: (before.y - now.y) * perPx }, picture);
      const wider = distance(now, other) / Math.max(1, distance(before, other));
      return zoomCrop(held, zoomOf(held, picture) * wider, picture);
    });
  };
  const onLeave = (event: PointerEvent) => fingers.current.delete(event.pointerId);
  const onKey = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key];
    const step = event.shiftKey ? BIG_STEP : STEP;
    if (arrow) onCrop((held) => moveCrop(held, { x: arrow.x * held.side * step, y: arrow.y * held.side * step }, picture));
    else if (event.key === "+" || event.key === "=") setZoom(zoom * CLOSER);
    else if (event.key === "-") setZoom(zoom / CLOSER);
    else return;
    event.preventDefault();
  };
  return (
    <div className="w-240 max-w-full">
      <button
        ref={stage}
        type="button"
        aria-label="Section of the picture"
        aria-describedby="crop-keys"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        }}
        onPointerMove={onMove}
        onPointerUp={onLeave}
        onPointerCancel={onLeave}
        onKeyDown={onKey}
        className="relative block size-240 cursor-grab touch-none overflow-hidden rounded-12 bg-s3 select-none active:cursor-grabbing"
      >
        <img
          alt=""
          draggable={false}
          src={address}
          style={{
            width: picture.width * scale,
            height: picture.height * scale,
            transform: `translate(${-crop.x * scale}px, ${-crop.y * scale}px)`,
          }}
          className="pointer-events-none max-w-none origin-top-left"
        />
        <span aria-hidden className="pointer-events-none absolute inset-0 rounded-full shadow-[0_0_0_120px_var(--color-scrim)]" />
      </button>
      <label className="mt-12 flex items-center gap-10 text-ink2">
        <Minus aria-hidden className="size-16" />
        <input
          type="range"
          aria-label="Zoom"
          min={1}
          max={CLOSEST}
          step={0.01}
          value={zoom}
          onChange={(event) => setZoom(event.target.valueAsNumber)}
          className="h-20 min-w-0 flex-1 accent-accent touch:h-44"
        />
        <Plus aria-hidden className="size-16" />
      </label>
      <p id="crop-keys" className="mt-6 text-13 text-ink2">
        Drag the picture to its place. Arrow keys move it, plus and minus zoom.
      </p>
    </div>
  );
}

function distance(a: { x: number; y: number }, b: { x: number; y: number }): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** A cropped picture's sides in pixels: twice what the largest place shows, on dense screens too. */
const SIDE = 512;
/** From the best down, until the file is small enough. */
const QUALITIES = [0.9, 0.75, 0.5];
/** Larger ones take a browser down before they are drawn. */
const MOST_BYTES = 50 * 1024 * 1024;

/** A picture that this browser can draw; the caller revokes `address`. */
type OpenedPicture = { image: HTMLImageElement; address: string; sides: Sides };

/** Opens a chosen file as a picture. Throws an Error whose message is for people. */
async function openPicture(file: File): Promise<OpenedPicture> {
  if (file.size > MOST_BYTES) throw new Error("This file is too large. Choose one of at most 50 MB.");
  if (file.type === "image/svg+xml") throw new Error("Choose a PNG, JPEG or WebP picture.");
  const address = URL.createObjectURL(file);
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    URL.revokeObjectURL(address);
    throw new Error("This file is no picture that this browser can show.");
  }
  return { image, address, sides: { width: image.naturalWidth, height: image.naturalHeight } };
}

/** The chosen square as a small file of its own, without what the picture knew of camera and place. Throws an Error for people. */
async function cutPicture(image: HTMLImageElement, { x, y, side }: Crop): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = Math.max(1, Math.min(SIDE, Math.round(side)));
  const context = canvas.getContext("2d");
  if (context) {
    // JPEG knows no transparency, and some browsers write nothing smaller.
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = "high";
    context.drawImage(image, x, y, side, side, 0, 0, canvas.width, canvas.height);
    for (const quality of QUALITIES) {
      const blob = await written(canvas, quality);
      if (blob && blob.size <= PROFILE_PICTURE_BYTES) return blob;
    }
  }
  throw new Error("This picture could not be cropped. Try another one.");
}

async function written(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  const webp = await encoded(canvas, "image/webp", quality);
  return webp?.type === "image/webp" ? webp : encoded(canvas, "image/jpeg", quality);
}

function encoded(canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => {
    canvas.toBlob(resolve, type, quality);
  });
}

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
    onSuccess: (opened) => setCropping({ ...opened, crop: largestCrop(opened.sides) }),
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
