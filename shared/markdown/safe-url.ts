const allowed = /^(?:https?:\/\/[^/?#\\]|mailto:[^\s]|tel:[+\d])/i;

/** The address of a link if it is http, https, mailto or tel, with spaces encoded; undefined for every other, relative ones too. */
export function safeUrl(url: string): string | undefined {
  const trimmed = url.trim();
  // Browsers drop control characters inside an address, so one that holds any is not what it looks like.
  if (/\p{Cc}/u.test(trimmed) || !allowed.test(trimmed)) return undefined;
  return trimmed.replaceAll(" ", "%20");
}

/** The host of a web address for display, without user, password and port; undefined for other addresses. */
export function hostOf(url: string): string | undefined {
  return /^https?:\/\/(?:[^/?#\\]*@)?(\[[^\]]*\]|[^/?#\\:]+)/i.exec(url.trim())?.[1]?.toLowerCase();
}
