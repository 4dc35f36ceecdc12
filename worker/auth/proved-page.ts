import { APP_NAME } from "#shared/app.ts";
import { SIGNED_IN_CHANNEL } from "#shared/sign-in/signed-in-channel.ts";
import { smallPage } from "../http/small-page.ts";

/** The end of a second proof in a window of its own: it tells the page that opened it, and closes; `failure` is why it proved nothing. */
export function provedPage(failure: string | null): Promise<{ html: string; policy: string }> {
  const script = `new BroadcastChannel(${JSON.stringify(SIGNED_IN_CHANNEL)}).postMessage(${JSON.stringify({ failure })});\nwindow.close();`;
  const text = failure ?? "Thank you. Close this window, and go on where you were.";
  return smallPage({ title: APP_NAME, text, script });
}
