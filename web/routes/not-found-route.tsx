import { PaneHeader } from "#web/ui/pane-header.tsx";
import { usePageTitle } from "#web/lib/page-title.ts";
import { DeadEnd } from "#web/ui/dead-end.tsx";

/** What stands at an address that leads nowhere. */
export default function NotFoundRoute() {
  usePageTitle("Not found");
  return (
    <>
      <PaneHeader />
      <DeadEnd title="There is nothing here" text="The address may have a typo in it, or what stood here was deleted." />
    </>
  );
}
