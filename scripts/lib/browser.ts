import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "@playwright/test";
import { bin, runCommand } from "./run-command.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
/** Chromium without windows. */
const SHELLS = ["chromium-headless-shell", "chrome-headless-shell"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** The path of a Chromium: `CHROMIUM_PATH`, one of the system, playwright's own, else one that it installs. */
export async function findBrowser(): Promise<string> {
  const named = process.env["CHROMIUM_PATH"];
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM_PATH names ${named}, where there is no browser.`);
  }
  return systemBrowser() ?? playwrightBrowser() ?? (await installBrowser());
}

/** The path of a Chromium without windows, which opens pages faster: one of the system, else Debian's; a whole browser where there is none. */
export async function findHeadlessBrowser(): Promise<string> {
  const whole = await findBrowser();
  if (process.env["CHROMIUM_PATH"]) return whole;
  const shell = inPath(SHELLS);
  if (shell) return shell;
  await installPackage("chromium-headless-shell");
  return inPath(SHELLS) ?? whole;
}

const FIREFOX_PLACES = ["/Applications/Firefox.app/Contents/MacOS/firefox", "C:\\Program Files\\Mozilla Firefox\\firefox.exe"];

/** The path of a Firefox: `FIREFOX_PATH`, one of the system, else Debian's; undefined where there is none and none can be installed. */
export async function findFirefox(): Promise<string | undefined> {
  const named = process.env["FIREFOX_PATH"];
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`FIREFOX_PATH names ${named}, where there is no browser.`);
  }
  const find = () => inPath(["firefox", "firefox-esr"]) ?? FIREFOX_PLACES.find((path) => existsSync(path));
  return find() ?? (await installPackage("firefox-esr").then(find));
}

/** The paths of WebKit's driver and of a screen for it, which are the system's or Debian's; undefined where one can neither be found nor installed. */
export async function findWebKit(): Promise<{ driver: string; display: string } | undefined> {
  const find = async (name: string, debian: string) => inPath([name]) ?? (await installPackage(debian).then(() => inPath([name])));
  const driver = await find("WebKitWebDriver", "webkit2gtk-driver");
  const display = driver && (await find("Xvfb", "xvfb"));
  return driver && display ? { driver, display } : undefined;
}

function systemBrowser(): string | undefined {
  return inPath(NAMES) ?? PLACES.find((path) => existsSync(path));
}

function inPath(names: readonly string[]): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

function playwrightBrowser(): string | undefined {
  const path = chromium.executablePath();
  return path !== "" && existsSync(path) ? path : undefined;
}

async function installBrowser(): Promise<string> {
  process.stdout.write("No browser was found: installing Chromium for the tests ...\n");
  await quietly(bin("playwright"), ["install", "chromium"]);
  // Its system libraries may be missing; then Debian's own package brings them along with a browser.
  const own = playwrightBrowser();
  if (own && (await quietly(own, ["--version"]))) return own;
  await installPackage("chromium");
  const found = systemBrowser();
  if (found) return found;
  throw new Error(
    "The browser tests need Chromium or Chrome and none could be installed: install one (Debian: `sudo apt-get install chromium`) or set CHROMIUM_PATH to it, then run this again.",
  );
}

/** Installs one of Debian's packages where that is possible without a question. */
async function installPackage(name: string): Promise<void> {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  process.stdout.write(`Installing Debian's ${name} ...\n`);
  const quiet = { DEBIAN_FRONTEND: "noninteractive" };
  const install = () => quietly("apt-get", ["install", "-y", "--no-install-recommends", name], quiet);
  // The list of packages may be missing or old.
  if (await install()) return;
  await quietly("apt-get", ["update"], quiet);
  await install();
}

async function quietly(program: string, args: string[], env: Record<string, string> = {}): Promise<boolean> {
  return runCommand(program, args, { quiet: true, env }).then(
    ({ code }) => code === 0,
    () => false,
  );
}
