/** True where the main pointer is a finger. */
export function isTouchDevice(): boolean {
  return matchMedia("(pointer: coarse)").matches;
}
