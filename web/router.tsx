import { QueryClientProvider } from "@tanstack/react-query";
import { Route, Routes } from "react-router";
import { BrowserRouter } from "#web/lib/browser-router.tsx";
import { LinkLayer } from "#web/features/shell/arrival/link-layer.tsx";
import { SessionProvider } from "#web/features/people/session/session-provider.tsx";
import { queryClient } from "#web/lib/query.ts";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { AppShell } from "./app-shell.tsx";
import { ChatRoute } from "./routes/chat-route.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";

const LoginPage = lazyPart(async () => (await import("#web/features/shell/login/login-page.tsx")).default);
const ChangelogPage = lazyPart(async () => (await import("#web/features/shell/changelog/changelog-page.tsx")).default);
const ApprovalsPage = lazyPart(async () => (await import("#web/features/conversation/approvals/approvals-page.tsx")).default);
const SchedulesPage = lazyPart(async () => (await import("#web/features/conversation/schedules/schedules-page.tsx")).default);
const ArtifactsPage = lazyPart(async () => (await import("#web/features/library/artifacts/artifacts-page.tsx")).default);
const ArtifactRoute = lazyPart(async () => (await import("./routes/artifact-route.tsx")).default);
const AdminRoute = lazyPart(async () => (await import("./routes/admin-route.tsx")).default);
const GoodbyePage = lazyPart(async () => (await import("#web/features/account/account-data/goodbye-page.tsx")).default);
const NotFoundRoute = lazyPart(async () => (await import("./routes/not-found-route.tsx")).default);

/** Every address of the product. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <SessionProvider>
          <ErrorBoundary what="This page">
            <Routes>
              <Route element={<AppShell />}>
                <Route index element={<ChatRoute />} />
                <Route path="new" element={<ChatRoute />} />
                <Route path="c/:chatId" element={<ChatRoute />} />
                <Route path="approvals" element={<ApprovalsPage />} />
                <Route path="schedules" element={<SchedulesPage />} />
                <Route path="artifacts" element={<ArtifactsPage />} />
                <Route path="artifacts/:artifactId" element={<ArtifactRoute />} />
                <Route path="admin" element={<AdminRoute />} />
                <Route path="goodbye" element={<GoodbyePage />} />
                <Route path="*" element={<NotFoundRoute />} />
              </Route>
              <Route path="auth" element={<LoginPage />} />
              <Route path="auth/login" element={<LoginPage />} />
              <Route path="changelog" element={<ChangelogPage />} />
            </Routes>
          </ErrorBoundary>
          <ErrorBoundary what="This link">
            <LinkLayer />
          </ErrorBoundary>
        </SessionProvider>
      </BrowserRouter>
    </QueryClientProvider>
  );
}
