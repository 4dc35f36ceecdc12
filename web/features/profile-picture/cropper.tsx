import { Minus, Plus } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { CLOSEST, type Crop, type Sides, moveCrop, zoomCrop, zoomOf } from "./crop.ts";

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
export function Cropper({ address, picture, crop, onCrop }: CropperProps) {
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
