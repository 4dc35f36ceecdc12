import { PaneHeader } from "#web/features/sidebar/pane-header.tsx";
import { usePageTitle } from "#web/features/sidebar/use-page-title.ts";
import { Link } from "#web/ui/link.tsx";

/** What stands at an address that leads nowhere. */
export default function NotFoundRoute() {
  usePageTitle("Not found");
  return (
    <>
      <PaneHeader />
      <div className="mx-auto flex w-full max-w-752 flex-1 flex-col justify-center px-16 pb-[18dvh]">
        <h1 className="font-serif text-28">There is nothing here</h1>
        <p className="mt-8 text-15 text-ink2">The address may have a typo in it, or what stood here was deleted.</p>
        <Link
          to="/"
          className="mt-20 inline-flex h-36 items-center self-start rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44"
        >
          Start a new chat
        </Link>
      </div>
    </>
  );
}
