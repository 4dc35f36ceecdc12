/** What reading a scan costs at most, in US dollars a page: the aggregator's price of a page, and that of its text to a cheap model. */
export const SCAN_PAGE_DOLLARS = 0.0025;
/** Scans of more pages, or of more bytes, are not read as pictures. */
export const SCAN_PAGES = 300;
export const SCAN_BYTES = 10 * 1024 * 1024;

type Scan = { scan_pages: number | null; file_size: number };

/** What reading a scan as pictures costs at most, in US dollars; null for what is none, or none that is read so. */
export function scanPrice({ scan_pages: pages, file_size: size }: Scan): number | null {
  if (pages === null || pages === 0 || pages > SCAN_PAGES || size > SCAN_BYTES) return null;
  return pages * SCAN_PAGE_DOLLARS;
}
