type Key = {
  key: string;
  shiftKey: boolean;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  isComposing: boolean;
  keyCode: number;
};

/** What a key in the composer asks for; `none` leaves it to the text field. */
export type KeyMeaning = "send" | "edit_last" | "none";

/** The key code browsers give while an input method composes, also where `isComposing` is already false (Safari). */
const COMPOSING_KEY_CODE = 229;

/** Enter sends, Shift+Enter and touch keyboards' Enter break, and an input method's Enter is its own. Arrow up in an empty field edits the last message. */
export function meaningOf(key: Key, { isTouch, isEmpty }: { isTouch: boolean; isEmpty: boolean }): KeyMeaning {
  if (key.isComposing || key.keyCode === COMPOSING_KEY_CODE) return "none";
  const isPlain = !key.shiftKey && !key.altKey && !key.ctrlKey && !key.metaKey;
  if (key.key === "ArrowUp") return isEmpty && isPlain ? "edit_last" : "none";
  if (key.key !== "Enter" || key.shiftKey || key.altKey) return "none";
  if (key.ctrlKey || key.metaKey) return "send";
  return isTouch ? "none" : "send";
}

/** True for a key that writes a character, so typing anywhere can go to the composer. */
export function isPrintable(key: Pick<Key, "key" | "ctrlKey" | "metaKey" | "altKey" | "isComposing">): boolean {
  return /^\S$/u.test(key.key) && !key.ctrlKey && !key.metaKey && !key.altKey && !key.isComposing;
}
