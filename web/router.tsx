import { QueryClientProvider } from "@tanstack/react-query";
import { SessionProvider } from "./features/session/session-provider.tsx";
import { queryClient } from "#web/lib/query.ts";
import { chatIdOf, PlaceProvider, useLocation } from "#web/lib/routing.tsx";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { AppShell } from "./app-shell.tsx";
import { ChatRoute } from "./routes/chat-route.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const LoginPage = lazyPart(async () => (await import("./features/session/login-page.tsx")).default);
const ChangelogPage = lazyPart(async () => (await import("./features/changelog/changelog-page.tsx")).default);
const NotFoundRoute = lazyPart(async () => (await import("./routes/not-found-route.tsx")).default);

/** Every address of the product. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <PlaceProvider>
        <SessionProvider>
          <ErrorBoundary what="This page">
            <Page />
          </ErrorBoundary>
        </SessionProvider>
      </PlaceProvider>
    </QueryClientProvider>
  );
}

function Page() {
  const { pathname } = useLocation();
  // However it was typed: in capitals, with a slash at its end.
  const path = pathname.toLowerCase().replace(/\/+$/, "");
  if (path === "/auth" || path === "/auth/login") return <LoginPage />;
  if (path === "/changelog") return <ChangelogPage />;
  const isChat = path === "" || path === "/new" || chatIdOf(pathname) !== null;
  return <AppShell>{isChat ? <ChatRoute /> : <NotFoundRoute />}</AppShell>;
}
