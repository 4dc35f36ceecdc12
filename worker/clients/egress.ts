/**
 * The one door out. Redirects are never followed: a key in a header would go along to whatever host an answer names.
 * A redirect comes back as an answer that is not ok, which every caller takes for a failure.
 */
export function egressFetch(url: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, redirect: "manual" });
}
