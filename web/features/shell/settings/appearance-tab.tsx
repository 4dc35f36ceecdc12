import { type Theme, setTheme, useTheme } from "#web/lib/theme.ts";
import { cx } from "#web/ui/cx.ts";
import { TabHeading } from "#web/ui/tabs.tsx";

const THEMES = [
  { value: "system", label: "System", hint: "Follows this device" },
  { value: "light", label: "Light", hint: "Ink on paper" },
  { value: "dark", label: "Dark", hint: "Paper on ink" },
] as const satisfies readonly { value: Theme; label: string; hint: string }[];

/** The theme; a choice shows at once and is kept in this browser. */
export function AppearanceTab() {
  const theme = useTheme();
  return (
    <div className="beneath-bar px-20 py-20 desk:px-24">
      <TabHeading title="Appearance">The theme is kept in this browser.</TabHeading>
      <fieldset className="grid gap-12 min-[768px]:mt-20 desk:grid-cols-3">
        <legend className="sr-only">Theme</legend>
        {THEMES.map(({ value, label, hint }) => (
          <label
            key={value}
            className="flex items-center gap-12 rounded-12 border border-line p-12 transition-colors duration-120 hover:bg-s3 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus desk:flex-col desk:items-stretch"
          >
            <input
              type="radio"
              name="theme"
              value={value}
              checked={theme === value}
              onChange={() => setTheme(value)}
              className="sr-only"
              aria-describedby={`theme-${value}`}
              aria-label={label}
            />
            <Preview theme={value} />
            <span className="desk:px-2">
              <span className={cx("block text-14 font-medium", theme === value ? "text-accent-soft-ink" : "text-ink")}>{label}</span>
              <span id={`theme-${value}`} className={cx("block text-13", theme === value ? "text-accent-soft-ink" : "text-ink2")}>
                {hint}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </div>
  );
}

/** A window in small; the system's shows both halves. */
function Preview({ theme }: { theme: Theme }) {
  return (
    <span aria-hidden className="relative block h-56 w-88 shrink-0 overflow-hidden rounded-8 border border-line desk:h-112 desk:w-full">
      {theme !== "dark" && <Window dark={false} />}
      {theme !== "light" && <Window dark clipped={theme === "system"} />}
    </span>
  );
}

function Window({ dark, clipped = false }: { dark: boolean; clipped?: boolean }) {
  return (
    <span
      data-theme={dark ? "dark" : "light"}
      className={cx("absolute inset-0 flex bg-bg", clipped && "[clip-path:polygon(100%_0,100%_100%,0_100%)]")}
    >
      <span className="w-1/4 bg-s1 p-6">
        <span className="block h-4 w-3/4 rounded-full bg-ink" />
        <span className="mt-6 block h-3 rounded-full bg-s4" />
        <span className="mt-4 block h-3 rounded-full bg-s4" />
      </span>
      <span className="flex flex-1 flex-col p-6">
        <span className="ml-auto block h-8 w-1/2 rounded-6 bg-s3" />
        <span className="mt-6 block h-3 w-5/6 rounded-full bg-ink2" />
        <span className="mt-4 block h-3 w-2/3 rounded-full bg-ink2" />
        <span className="mt-auto flex h-14 items-center justify-end rounded-6 border border-line bg-s2 px-3">
          <span className="block size-8 rounded-full bg-accent" />
        </span>
      </span>
    </span>
  );
}
