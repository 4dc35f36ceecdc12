import { useEffect } from "react";
import { APP_NAME } from "#shared/app.ts";
import { DeadEnd } from "#web/ui/dead-end.tsx";

/** What stands where somebody was who deleted their account. */
export default function GoodbyePage() {
  useEffect(() => {
    document.title = `Goodbye · ${APP_NAME}`;
  }, []);
  return (
    <DeadEnd
      title="Your account is being deleted"
      text="You are signed out everywhere, and nobody can sign in to it any more. All of it is gone within a day; a mail tells you when it is done."
    />
  );
}
