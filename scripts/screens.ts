import { resolve } from "node:path";
import { startBrowserServer } from "./lib/browser-server.ts";
import { findOthers } from "./lib/browser-tests.ts";
import { bin, runCommand } from "./lib/run-command.ts";
import { runMain, untilAskedToStop } from "./lib/run-main.ts";
import { spendDays } from "#test/screens/seed/spend-days.ts";
import { OWNER } from "#test/screens/seed/people.ts";
import { writeIndex } from "#test/screens/index-page.ts";

const WIDTHS = "1440,768,390";
const THEMES = "light,dark";

/**
 * Takes pictures of the product's screens: those whose names hold a given word, `--width=390` and `--theme=dark` alone; `--stay` serves on.
 * `--browser=chromium,firefox,webkit` takes twenty of them, each on a large window and on a small one, in these browsers instead, light unless `--theme` says otherwise.
 */
await runMain(async () => {
  const args = process.argv.slice(2);
  const option = (name: string, usual: string) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? usual;
  const names = args.filter((arg) => !arg.startsWith("--"));
  const passed = args.filter((arg) => arg.startsWith("--workers="));
  const browsers = option("browser", "");
  const others = browsers === "" ? {} : (await findOthers()).env;
  process.env["SCREENS_FOLDER"] = option("to", "") && resolve(option("to", ""));
  const asked: Record<string, string> =
    browsers === ""
      ? { SCREENS_WIDTHS: option("width", WIDTHS), SCREENS_THEMES: option("theme", THEMES) }
      : { SCREENS_BROWSERS: browsers, SCREENS_THEMES: option("theme", "light") };
  const server = await startBrowserServer(() => {});
  try {
    await server.enter(OWNER.email);
    await spendDays(await server.served.database(), OWNER.email);
    const { code } = await runCommand(
      bin("playwright"),
      ["test", "--config", "test/screens/playwright.config.ts", ...(names.length > 0 ? ["-g", names.join("|")] : []), ...passed],
      { env: { ...server.env, ...others, ...asked } },
    );
    process.stdout.write(`\nThe pictures, side by side: ${await writeIndex()}\n`);
    process.exitCode = code;
    if (args.includes("--stay")) {
      process.stdout.write(`It is served at ${server.served.url}; the scenes' sessions are in ${server.stateDir}.\n`);
      await untilAskedToStop();
    }
  } finally {
    await server.close();
  }
});
