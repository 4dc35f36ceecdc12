import { useState } from "react";
import { useSession } from "#web/features/session/use-session.ts";
import { useUnreadCount } from "#web/features/sidebar/use-chats.ts";
import { greetingFor, invitationFor, newsFor } from "./greeting.ts";

/** What stands above the composer before a chat begins, on the composer's text edge. */
export function HomeGreeting() {
  const { user, status, features } = useSession();
  const [now] = useState(() => new Date());
  const news = newsFor(useUnreadCount());
  const invitation = features && invitationFor(features, user);
  return (
    <div className="mx-auto w-full max-w-792 px-20 pb-20 desk:px-36">
      <h1 className="font-serif text-28 text-ink">{greetingFor(now, user)}</h1>
      {invitation && <p className="mt-6 text-15 text-ink2">{invitation}</p>}
      {features?.demo && (
        <p className="mt-6 text-15 text-ink2">
          The built-in demo model answers here. Set <b className="font-medium">OPENROUTER_API_KEY</b> in{" "}
          <b className="font-medium">.dev.vars</b> to talk to real ones.
        </p>
      )}
      {/* Last, as its line is kept free: nothing moves when it comes, and without news no gap stands between the others. */}
      {status === "user" && <p className="mt-6 min-h-26 text-15 text-ink2">{news}</p>}
    </div>
  );
}
