import { QueryClientProvider } from "@tanstack/react-query";
import { Suspense, lazy } from "react";
import { BrowserRouter, Route, Routes } from "react-router";
import { queryClient } from "#web/lib/query.ts";
import { ErrorBoundary } from "#web/ui/error-boundary.tsx";
import { AppShell } from "./app-shell.tsx";
import { ChatRoute } from "./routes/chat-route.tsx";

const LoginPage = lazy(() => import("./features/session/login-page.tsx"));
const ChangelogPage = lazy(() => import("./features/changelog/changelog-page.tsx"));
const NotFoundRoute = lazy(() => import("./routes/not-found-route.tsx"));

/** Every address of the product. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <ErrorBoundary what="This page">
          <Suspense>
            <Routes>
              <Route element={<AppShell />}>
                <Route index element={<ChatRoute />} />
                <Route path="new" element={<ChatRoute />} />
                <Route path="c/:chatId" element={<ChatRoute />} />
                <Route path="*" element={<NotFoundRoute />} />
              </Route>
              <Route path="auth" element={<LoginPage />} />
              <Route path="auth/login" element={<LoginPage />} />
              <Route path="changelog" element={<ChangelogPage />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </BrowserRouter>
    </QueryClientProvider>
  );
}
