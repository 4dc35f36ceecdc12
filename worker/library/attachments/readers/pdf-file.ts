/** Where static files are fetched from: the platform's ASSETS. */
export type Assets = Pick<Fetcher, "fetch">;

/** One of PDF.js's own files. Where the product is developed scripts/lib/build/pdf-assets.ts puts another way of fetching here, as ASSETS knows pages alone then. Throws where it is not to be had. */
export async function fetchPdfFile(assets: Assets, path: string, signal: AbortSignal): Promise<Uint8Array> {
  const response = await assets.fetch(new URL(path, "http://assets"), { signal });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
