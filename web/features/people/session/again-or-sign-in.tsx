import { useLocation } from "react-router";
import { ApiError } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { TryAgain } from "#web/ui/try-again.tsx";
import { loginUrl } from "./login-url.ts";

/** What helps where something of one's account could not be loaded: signing in where the session is over, else another try. */
export function AgainOrSignIn({ error, onAgain }: { error: Error | null; onAgain: () => void }) {
  const { pathname, search } = useLocation();
  const isOver = error instanceof ApiError && error.status === 401;
  // A page that begins anew asks who is here: this one still takes its person for signed in.
  const signIn = () => window.location.assign(loginUrl(pathname + search));
  if (!isOver) return <TryAgain onClick={onAgain} />;
  return (
    <Button size="sm" onClick={signIn}>
      Sign in
    </Button>
  );
}
