import { useSession } from "#web/features/session/use-session.ts";
import { McpConnections } from "#web/features/mcp/mcp-connections.tsx";
import { useCategories } from "#web/features/tools/use-categories.ts";
import { GoogleRow } from "#web/features/google/google-row.tsx";
import { CodegenRow } from "./codegen-row.tsx";
import { PhoneRow } from "./phone-row.tsx";

/** The services of one's own that tools reach, and what they may do there. */
export function Integrations() {
  const { user, features } = useSession();
  const categories = useCategories();
  if (!user || user.anonymous) return null;
  return (
    <>
      <section aria-labelledby="integrations" className="mt-28">
        <h3 id="integrations" className="border-b border-line pb-8 text-14 font-medium text-ink">
          Integrations
        </h3>
        {features?.gmail && <GoogleRow />}
        <CodegenRow />
        {categories.some(({ id }) => id === "phone") && <PhoneRow />}
      </section>
      <McpConnections />
    </>
  );
}
