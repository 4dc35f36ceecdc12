/** The parameters of the address that say how connecting Google ended, on any page. */
export const GOOGLE_NOTICES = ["gmail_success", "gmail_error"] as const;
