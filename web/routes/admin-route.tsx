import { useSession } from "#web/features/people/session/use-session.ts";
import AdminPage from "#web/features/shell/admin/admin-page.tsx";
import NotFoundRoute from "./not-found-route.tsx";

/** Administration, which for everybody else is an address that leads nowhere. */
export default function AdminRoute() {
  const { user, status } = useSession();
  if (status === "loading") return null;
  return user?.is_admin ? <AdminPage /> : <NotFoundRoute />;
}
