import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { APP_NAME } from "#shared/app.ts";
import { safeReturnUrl } from "#shared/sign-in/return-url.ts";
import { AboutButton } from "#web/features/people/about/about-button.tsx";
import { Link } from "#web/ui/link.tsx";
import { ToastRegion } from "#web/ui/toast/toast.tsx";
import { carriedInvite } from "#web/features/people/session/arrived-invite.ts";
import { clearAuthError, useAuthError } from "#web/features/people/session/auth-error.ts";
import { LinkStep } from "#web/features/people/session/link-step.tsx";
import { LoginForm } from "#web/features/people/session/login-form.tsx";
import { newcomerText } from "#web/features/people/session/newcomer-text.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Exchange } from "#web/features/people/session/exchange.tsx";

const CONFIRM =
  "Google does not run the mailbox of this address, so it cannot say whose it is today. Confirm it by a mailed code, this once; after that, Google is enough.";

/** The page to sign in on; who is signed in already goes on to where they wanted. */
export default function LoginPage() {
  const { search, hash } = useLocation();
  const navigate = useNavigate();
  const { status, isCurrent, features } = useSession();
  const googleFailure = useAuthError();
  const tokenHere = new URLSearchParams(hash.slice(1)).get("token");
  const [token, setToken] = useState(tokenHere);
  const confirmHere = new URLSearchParams(hash.slice(1)).get("confirm");
  const [toConfirm] = useState(confirmHere ?? "");
  const joinHere = new URLSearchParams(hash.slice(1)).get("join") === "google";
  const [joinsGoogle, setJoinsGoogle] = useState(joinHere);
  const [spent, setSpent] = useState<string | null>(null);
  // A link that is opened on this very page changes its address alone.
  if (tokenHere !== null && tokenHere !== token) {
    setToken(tokenHere);
    setJoinsGoogle(joinHere);
  }
  const returnUrl = safeReturnUrl(new URLSearchParams(search).get("returnUrl"), window.location.origin);

  useEffect(() => {
    document.title = `Sign in · ${APP_NAME}`;
    return clearAuthError;
  }, []);
  useEffect(() => {
    // What signs in, or names who does, stays neither in sight nor in the history.
    if (tokenHere !== null || confirmHere !== null) void navigate({ search, hash: "" }, { replace: true });
  }, [tokenHere, confirmHere, search, navigate]);
  const hasContinued = useRef(false);
  const continueToReturnUrl = useCallback(() => {
    // The session says it and so does the form: a second time would break off the first one's request, which the server answers once.
    if (hasContinued.current) return;
    hasContinued.current = true;
    // Published pages are the server's own.
    if (returnUrl.startsWith("/p/")) window.location.replace(returnUrl);
    else void navigate(returnUrl, { replace: true });
  }, [returnUrl, navigate]);
  useEffect(() => {
    // What an earlier page remembered is no proof: that session may have ended.
    if (status === "user" && isCurrent) continueToReturnUrl();
  }, [status, isCurrent, continueToReturnUrl]);

  return (
    <div className="flex min-h-dvh bg-bg text-ink">
      <div className="flex min-h-dvh w-full flex-col px-24 pt-(--safe-top) max-desk:mx-auto max-desk:max-w-408 pb-(--safe-bottom) desk:w-640 desk:max-w-[44.5vw] desk:shrink-0 desk:pl-[max(24px,min(140px,calc(44.5vw-400px)))]">
        <header className="flex h-88 shrink-0 items-center desk:h-112">
          <Link to="/" className="inline-flex items-center rounded-6 font-serif text-18 text-ink touch:min-h-44">
            {APP_NAME}
          </Link>
        </header>
        <main className="w-full max-w-360 flex-1 pt-24 desk:pt-[clamp(24px,calc(50dvh-312px),138px)]">
          <h1 className="font-serif text-28">Sign in</h1>
          {token === null ? (
            <>
              <p className="mt-6 mb-28 text-14 text-pretty text-ink2">{toConfirm === "" ? newcomerText(features, returnUrl) : CONFIRM}</p>
              <LoginForm returnUrl={returnUrl} failure={googleFailure ?? spent} toConfirm={toConfirm} onDone={continueToReturnUrl} />
            </>
          ) : (
            <div className="mt-6">
              <LinkStep
                token={token}
                joinsGoogle={joinsGoogle}
                invite={carriedInvite({ search, returnUrl })}
                onDone={continueToReturnUrl}
                onSpent={(message) => {
                  setToken(null);
                  setSpent(`${message} Ask for a new one here.`);
                }}
              />
            </div>
          )}
        </main>
        <footer className="flex h-102 shrink-0 items-center gap-20 text-13 text-ink2">
          <AboutButton className="touch:min-h-44 hover:text-ink" />
          <Link to="/changelog" className="inline-flex items-center rounded-6 touch:min-h-44 hover:text-ink">
            Changelog
          </Link>
        </footer>
      </div>
      <LoginAside />
      <ToastRegion />
    </div>
  );
}

/** What the product's name means, and what that looks like. */
function LoginAside() {
  return (
    <aside aria-label="What a polylogue is" className="hidden flex-1 bg-s1 pt-[clamp(136px,calc(50dvh-200px),250px)] desk:block">
      <div className="mx-auto w-full max-w-520 px-24">
        <p className="font-serif text-28">
          polylogue <span className="ml-4 text-21 font-normal text-ink2 italic">noun</span>
        </p>
        <p className="mt-8 font-serif text-21 font-normal text-ink2">A conversation in which more than two take part.</p>
        <div className="mt-40">
          <Exchange />
        </div>
      </div>
    </aside>
  );
}
