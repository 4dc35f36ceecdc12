import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, lazy } from "react";
import { Route, Routes } from "react-router";
import { BrowserRouter } from "#web/lib/browser-router.tsx";
import { LinkLayer } from "#web/features/shell/arrival/link-layer.tsx";
import { SessionProvider } from "#web/features/people/session/session-provider.tsx";
import { queryClient } from "#web/lib/query.ts";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { AppShell } from "./app-shell.tsx";
import { ChatRoute } from "./routes/chat-route.tsx";

const LoginPage = lazy(() => import("#web/features/shell/login/login-page.tsx"));
const ChangelogPage = lazy(() => import("#web/features/shell/changelog/changelog-page.tsx"));
const ApprovalsPage = lazy(() => import("#web/features/conversation/approvals/approvals-page.tsx"));
const SchedulesPage = lazy(() => import("#web/features/conversation/schedules/schedules-page.tsx"));
const ArtifactsPage = lazy(() => import("#web/features/library/artifacts/artifacts-page.tsx"));
const ArtifactRoute = lazy(() => import("./routes/artifact-route.tsx"));
const AdminRoute = lazy(() => import("./routes/admin-route.tsx"));
const GoodbyePage = lazy(() => import("#web/features/account/account-data/goodbye-page.tsx"));
const NotFoundRoute = lazy(() => import("./routes/not-found-route.tsx"));

/** Every address of the product. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <SessionProvider>
          <ErrorBoundary what="This page">
            <Suspense>
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
            </Suspense>
          </ErrorBoundary>
          <ErrorBoundary what="This link">
            <LinkLayer />
          </ErrorBoundary>
        </SessionProvider>
      </BrowserRouter>
    </QueryClientProvider>
  );
}
