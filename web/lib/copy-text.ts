/** Puts a text on the clipboard; false where the browser refuses. To be called as the button is pressed: some browsers take nothing later. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Absent on insecure origins, refused without focus or permission: the caller says so, and neither is an error.
    return false;
  }
}
