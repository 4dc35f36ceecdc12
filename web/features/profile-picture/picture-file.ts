import { PROFILE_PICTURE_BYTES } from "#shared/limits.ts";
import type { Crop, Sides } from "./crop.ts";

/** A cropped picture's sides in pixels: twice what the largest place shows, on dense screens too. */
const SIDE = 512;
/** From the best down, until the file is small enough. */
const QUALITIES = [0.9, 0.75, 0.5];
/** Larger ones take a browser down before they are drawn. */
const MOST_BYTES = 50 * 1024 * 1024;

/** A picture that this browser can draw; the caller revokes `address`. */
export type OpenedPicture = { image: HTMLImageElement; address: string; sides: Sides };

/** Opens a chosen file as a picture. Throws an Error whose message is for people. */
export async function openPicture(file: File): Promise<OpenedPicture> {
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
export async function cutPicture(image: HTMLImageElement, { x, y, side }: Crop): Promise<Blob> {
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
