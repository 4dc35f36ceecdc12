import { getArtifactFile } from "#shared/contracts/artifacts.ts";
import { imageAddresses } from "#shared/markdown/image-addresses.ts";
import { callForFile } from "#web/lib/api.ts";

/** A picture as a file can hold it; its sizes are in pixels. */
export type Picture = { type: "png" | "jpg" | "gif"; data: Uint8Array<ArrayBuffer>; width: number; height: number };
/** Pictures by the address that the text has for them. */
export type Pictures = ReadonlyMap<string, Picture>;

export const noPictures: Pictures = new Map();

/** What is loaded from is the artifact's own: an address of another's would learn that somebody read it. */
const OWN = /^\/api\/artifacts\/([0-9a-f-]{36})\/files\/([0-9a-f-]{36})$/;
/** A file holds so many pictures at most; further ones keep their name. */
const PICTURES_MAX = 100;
const TYPES = new Map<string, Picture["type"]>([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
]);

/** Loads the pictures that are files of artifacts; one that cannot be loaded is left out. */
export async function loadPictures(markdown: string): Promise<Pictures> {
  const found = new Map<string, Picture>();
  const own = [...imageAddresses(markdown)].flatMap((address) => {
    const [, id, fileId] = OWN.exec(address) ?? [];
    return id !== undefined && fileId !== undefined ? [{ address, params: { id, fileId } }] : [];
  });
  for (const { address, params } of own.slice(0, PICTURES_MAX)) {
    const picture = await load(params).catch(() => null);
    if (picture) found.set(address, picture);
  }
  return found;
}

async function load(params: { id: string; fileId: string }): Promise<Picture | null> {
  const file = await callForFile(getArtifactFile, { params });
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const type = TYPES.get(file.type);
  const usable = type ? file : await asPng(bitmap);
  bitmap.close();
  return usable && { type: type ?? "png", data: new Uint8Array(await usable.arrayBuffer()), width, height };
}

/** Word reads no WebP. */
function asPng(bitmap: ImageBitmap): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
