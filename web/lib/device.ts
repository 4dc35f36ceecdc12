/** True where the main pointer is a finger. */
export function isTouchDevice(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}

/** True on an iPhone or iPad. iPads call themselves Macs, and have a touch screen, which no Mac has. */
export function isApplePhone(): boolean {
  const { userAgent, maxTouchPoints } = navigator;
  return /\b(?:iPhone|iPad)\b/.test(userAgent) || (/\bMacintosh\b/.test(userAgent) && maxTouchPoints > 1);
}
