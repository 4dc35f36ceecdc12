import { IMAGE_BYTES } from "#shared/limits.ts";

/** Models look at no more pixels than these on the longer side. */
const LONGEST_SIDE = 2_576;
const QUALITY = 0.9;

/** A JPEG or PNG that models would refuse for its size, made small enough; any other file, and one that cannot be drawn, as it is. */
export async function shrinkPicture(file: File): Promise<File> {
  if (file.size <= IMAGE_BYTES || !/\.(jpe?g|png)$/i.test(file.name)) return file;
  try {
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const small = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
    return new File([small], file.name.replace(/\.\w+$/, ".jpg"), { type: "image/jpeg" });
  } catch {
    // The server then says what is wrong with it.
    return file;
  }
}
