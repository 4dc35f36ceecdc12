import { useLocation, useNavigate } from "react-router";
import { ApiError } from "#web/lib/api.ts";
import { Button } from "#web/ui/button.tsx";
import { loginUrl } from "./login-url.ts";

/** What helps where something of one's account could not be loaded: signing in where the session is over, else another try. */
export function AgainOrSignIn({ error, onAgain }: { error: Error | null; onAgain: () => void }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isOver = error instanceof ApiError && error.status === 401;
  return (
    <Button size="sm" onClick={isOver ? () => void navigate(loginUrl(pathname + search)) : onAgain}>
      {isOver ? "Sign in" : "Try again"}
    </Button>
  );
}
