import { GOOGLE_FAILURES, isGoogleFailure } from "#shared/sign-in/google-failures.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import type { ToastOptions } from "#web/ui/toast/toast-store.ts";

/** Characters of an address's own words that are shown: they are anyone's to write. */
const SHOWN_LENGTH = 300;

/** What an address says that came back from Google (`gmail_success` and `gmail_error`): one notice, the failure where there are both. */
export function googleToast(success: string | null, error: string | null): ToastOptions | null {
  if (error !== null) {
    const known = error === "" ? "failed" : error;
    if (isGoogleFailure(known)) return { title: "Google Connection Error", description: GOOGLE_FAILURES[known], tone: "danger" };
    return { title: "Gmail Connection Error", description: error.slice(0, SHOWN_LENGTH), tone: "danger" };
  }
  if (success === null) return null;
  if (success === "" || success === "true" || success === "1") return { title: "Google connected", tone: "success" };
  return { title: "Gmail Connected", description: success.slice(0, SHOWN_LENGTH), tone: "success" };
}

/** Shows that notice. */
export function notifyGoogle(success: string | null, error: string | null): void {
  const notice = googleToast(success, error);
  if (notice) toast(notice);
}
