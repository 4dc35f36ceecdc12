import { useLocation } from "react-router";

/** What administration shows, as the address names it. */
export const ADMIN_VIEWS = {
  overview: "Overview",
  plans: "Plans that wait",
  feedback: "Feedback",
  jobs: "Failed jobs",
  invites: "Invites",
  spend: "Spend",
  audit: "Audit log",
} as const;

export type AdminView = keyof typeof ADMIN_VIEWS;

function isView(name: string): name is AdminView {
  return Object.hasOwn(ADMIN_VIEWS, name);
}

/** The view and the subject that the address names; an unknown view is the overview. */
export function readView(search: URLSearchParams): { view: AdminView; subject: string | null } {
  const name = search.get("view") ?? "";
  const view = isView(name) ? name : "overview";
  return { view, subject: view === "audit" ? search.get("subject") : null };
}

/** The address of a view; of the audit log that of one subject where it is given. */
export function adminPath(view: AdminView, subject?: string): string {
  if (view === "overview") return "/admin";
  return `/admin?${new URLSearchParams({ view, ...(subject !== undefined && { subject }) }).toString()}`;
}

/** What the page's address asks to see. */
export function useAdminView(): { view: AdminView; subject: string | null } {
  return readView(new URLSearchParams(useLocation().search));
}
