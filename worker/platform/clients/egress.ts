/** Servers commonly take 8 KB of an address and 16 KB of headers; what is longer they refuse, at best. In characters. */
const ADDRESS_LENGTH = 8_000;
const HEADERS_LENGTH = 16_000;

/** True where a request's address, or its headers together, are longer than servers take. */
export function isTooLong(url: string | URL | Request, { headers }: Pick<RequestInit, "headers"> = {}): boolean {
  const [address, sent] = url instanceof Request ? [url.url, headers ?? url.headers] : [String(url), headers];
  if (address.length > ADDRESS_LENGTH) return true;
  return [...new Headers(sent)].reduce((sum, [name, value]) => sum + name.length + value.length, 0) > HEADERS_LENGTH;
}

/**
 * The one door out. Redirects are never followed: a key in a header would go along to whatever host an answer names.
 * A redirect comes back as an answer that is not ok, which every caller takes for a failure. Throws for what is too long to be sent.
 */
export async function egressFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  if (isTooLong(url, init)) throw new Error("The address or the headers of a request are too long to be sent.");
  return fetch(url, { ...init, redirect: "manual" });
}
