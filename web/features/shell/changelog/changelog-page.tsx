import { useEffect } from "react";
import { APP_NAME } from "#shared/app.ts";
import { AboutButton } from "#web/features/people/about/about-button.tsx";
import { LoginLink } from "#web/features/people/session/login-link.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Link } from "#web/ui/link.tsx";
import { ToastRegion } from "#web/ui/toast/toast.tsx";
import markdown from "../../../../CHANGELOG.md?raw";
import { type Inline, inlineOf, parseChangelog } from "./parse-changelog.ts";

const releases = parseChangelog(markdown);
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** What changed, release by release. */
export default function ChangelogPage() {
  const { isGuest, status } = useSession();
  useEffect(() => {
    document.title = `Changelog · ${APP_NAME}`;
  }, []);
  return (
    <div className="min-h-dvh bg-bg text-ink">
      <header className="mx-auto flex h-[calc(64px+var(--safe-top))] max-w-[752px] items-center justify-between px-16 pt-(--safe-top)">
        <Link to="/" className="inline-flex items-center rounded-6 font-serif text-21 touch:min-h-44">
          {APP_NAME}
        </Link>
        <nav aria-label="Product" className="-mr-12 flex items-center">
          {isGuest && status !== "loading" && (
            <>
              <AboutButton className="inline-flex h-32 items-center px-12 text-13 font-medium text-ink2 hover:bg-s3 hover:text-ink touch:h-44" />
              <LoginLink />
            </>
          )}
          <Link to="/" className="inline-flex h-32 items-center rounded-8 px-12 text-13 font-medium text-accent hover:bg-s3 touch:h-44">
            Open the app
          </Link>
        </nav>
      </header>
      <main className="mx-auto max-w-[752px] px-16 pt-24 pb-72">
        <h1 className="font-serif text-28">Changelog</h1>
        {releases.map(({ version, date, sections }) => (
          <article key={version} aria-labelledby={`v${version}`} className="mt-32">
            <h2 id={`v${version}`} className="flex items-baseline gap-12 border-b border-line pb-8">
              <span className="font-serif text-21">{version}</span>
              {date && (
                <time dateTime={date} className="text-13 text-ink3">
                  {day.format(new Date(date))}
                </time>
              )}
            </h2>
            {sections.map(({ title, items }) => (
              <section key={title} className="mt-32">
                <h3 className="text-13 font-medium text-ink2">{title}</h3>
                <ul className="mt-8 space-y-12 text-15 text-ink2">
                  {items.map((item) => (
                    <li key={item}>
                      {inlineOf(item).map((part) => (
                        <Part key={part.at} part={part} />
                      ))}
                    </li>
                  ))}
                </ul>
              </section>
            ))}
          </article>
        ))}
      </main>
      <ToastRegion />
    </div>
  );
}

function Part({ part }: { part: Inline }) {
  if (part.kind === "code") return <code className="rounded-6 bg-s3 px-4 font-mono text-13">{part.text}</code>;
  if (part.kind === "strong") return <strong className="font-medium text-ink">{part.text}</strong>;
  return part.text;
}
