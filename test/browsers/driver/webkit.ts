import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod/mini";
import { freePort } from "../../../scripts/lib/ports.ts";
import { until } from "../../support/until.ts";
import { DRAG_STEPS, type Driver, type Engine } from "./driver.ts";

export type WebKitPaths = { driver: string; display: string };

/** Keys that are no letters, as WebDriver spells them. */
const KEYS: Record<string, string> = {
  Backspace: "\uE003",
  Tab: "\uE004",
  Enter: "\uE007",
  Shift: "\uE008",
  Control: "\uE009",
  Escape: "\uE00C",
  PageUp: "\uE00E",
  PageDown: "\uE00F",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
  Delete: "\uE017",
};

/** A deadline: no call to the driver waits for a page. */
const CALL_MS = 90_000;

/** Larger than any window that is asked for. */
const SCREEN = "2000x1600x24";

/**
 * The console cannot be read from outside, so a page keeps what it says itself, from the first thing that is done in it on;
 * each answer brings along what came since the last. That sizes are told of in the next frame is no error.
 */
const COLLECT_ERRORS = `if (!window.collectedErrors) {
  const collected = (window.collectedErrors = []);
  const say = (thing) => (thing instanceof Error ? thing.message + "\\n" + thing.stack : String(thing));
  const { error } = console;
  console.error = (...things) => { collected.push("console: " + things.map(say).join(" ")); error.apply(console, things); };
  addEventListener("error", (event) => { if (event.target === window && !/^ResizeObserver loop/.test(event.message)) collected.push("uncaught: " + say(event.error ?? event.message)); });
  addEventListener("unhandledrejection", (event) => collected.push("uncaught: " + say(event.reason)));
  document.addEventListener("securitypolicyviolation", (event) => collected.push("refused: " + event.violatedDirective + " " + event.blockedURI));
}`;

/** The window's own buttons and its address field would keep it from getting narrower than 447 px: they take no room. */
const NO_TOOLBAR = "* { min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px; -gtk-icon-size: 1px; }";

/** WebKit as GTK has it, on a screen of its own; each window is a browser of its own, as its driver moves one alone. */
export async function startWebKit({ driver, display }: WebKitPaths): Promise<Engine> {
  const screen = spawn(display, ["-displayfd", "3", "-screen", "0", SCREEN, "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const settings = await mkdtemp(join(tmpdir(), "polylogue-gtk-"));
  await mkdir(join(settings, "gtk-3.0"));
  await writeFile(join(settings, "gtk-3.0", "gtk.css"), NO_TOOLBAR);
  const number = await firstLine(screen);
  return {
    open: () => openWindow(driver, { DISPLAY: `:${number}`, XDG_CONFIG_HOME: settings }),
    close: async () => {
      await ended(screen);
      await rm(settings, { recursive: true });
    },
  };
}

/** The display's number, which the X server writes once it takes clients. */
async function firstLine(screen: ChildProcess): Promise<string> {
  const pipe = screen.stdio[3];
  if (!pipe || !("setEncoding" in pipe)) throw new Error("The X server has no pipe to tell its display by.");
  const failed = once(screen, "exit").then(() => {
    throw new Error("The X server ended before it took clients.");
  });
  const [line] = await Promise.race([once(pipe, "data"), failed]);
  return String(line).trim();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill();
  await exit;
}

const Session = z.object({ sessionId: z.string() });
const Evaluated = z.object({ value: z.optional(z.string()), failed: z.optional(z.string()), errors: z.array(z.string()) });
const Rect = z.object({ width: z.number(), height: z.number() });
const Size = z.tuple([z.number(), z.number()]);

async function openWindow(program: string, env: Record<string, string>): Promise<Driver> {
  const port = await freePort();
  const running = spawn(program, ["-p", String(port)], { env: { ...process.env, ...env }, stdio: "ignore" });
  const call = async (method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(CALL_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { value }: { value: unknown } = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await until("WebKit's driver", () =>
    fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  const capabilities = { alwaysMatch: { pageLoadStrategy: "none" } };
  const { sessionId } = Session.parse(await call("POST", "/session", { capabilities }));
  const at = `/session/${sessionId}`;
  const post = (path: string, body: unknown) => call("POST", `${at}${path}`, body);
  const performActions = (type: string, actions: unknown[], more = {}) =>
    post("/actions", { actions: [{ type, id: type, actions, ...more }] });
  const point = (x: number, y: number) => ({ type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) });
  const spell = (key: string) => KEYS[key] ?? key;
  const errors: string[] = [];

  const evaluate = async (expression: string): Promise<string> => {
    const script = `${COLLECT_ERRORS}
      const done = arguments[arguments.length - 1];
      const answer = (given) => done({ ...given, errors: window.collectedErrors.splice(0) });
      (async () => (${expression}))().then((value) => answer({ value: String(value) }), (error) => answer({ failed: String(error?.stack ?? error) }));`;
    const { value, failed, errors: since } = Evaluated.parse(await post("/execute/async", { script, args: [] }));
    errors.push(...since);
    if (failed !== undefined) throw new Error(failed);
    return value ?? "";
  };
  const innerSize = async () => Size.parse(JSON.parse(await evaluate("JSON.stringify([innerWidth, innerHeight])")));

  return {
    goto: async (url) => {
      // Whether it is the new document is told by what the old one was marked with.
      await evaluate("(window.isLeft = true)");
      await post("/url", { url });
      const isThere = "!window.isLeft && location.href !== 'about:blank' && document.readyState !== 'loading'";
      await until(`the page ${url}`, () =>
        evaluate(isThere).then(
          (there) => there === "true",
          () => false,
        ),
      );
    },
    evaluate,
    // Each has the screen to itself.
    show: async () => undefined,
    move: async (x, y) => void (await performActions("pointer", [point(x, y)], { parameters: { pointerType: "mouse" } })),
    click: async (x, y) => {
      const actions = [point(x, y), { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
      await performActions("pointer", actions, { parameters: { pointerType: "mouse" } });
    },
    drag: async (from, to) => {
      const way = Array.from({ length: DRAG_STEPS }, (_, step) => (step + 1) / DRAG_STEPS);
      const moves = way.map((part) => point(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part));
      const actions = [point(from.x, from.y), { type: "pointerDown", button: 0 }, ...moves, { type: "pointerUp", button: 0 }];
      await performActions("pointer", actions, { parameters: { pointerType: "mouse" } });
    },
    wheel: async (x, y, by) => {
      await performActions("wheel", [{ type: "scroll", x: Math.round(x), y: Math.round(y), deltaX: 0, deltaY: by, duration: 0 }]);
    },
    press: async (keys) => {
      const actions = [
        ...keys.map((key) => ({ type: "keyDown", value: spell(key) })),
        ...keys.toReversed().map((key) => ({ type: "keyUp", value: spell(key) })),
      ];
      await performActions("key", actions);
    },
    type: async (typed) => {
      await performActions(
        "key",
        Array.from(typed, (letter) => (letter === "\n" ? spell("Enter") : letter)).flatMap((value) => [
          { type: "keyDown", value },
          { type: "keyUp", value },
        ]),
      );
    },
    upload: async (selector, paths) => {
      const found = z.record(z.string(), z.string()).parse(await post("/element", { using: "css selector", value: selector }));
      await post(`/element/${Object.values(found)[0]}/value`, { text: paths.join("\n") });
    },
    resize: async (width, height) => {
      const [begunWidth, begunHeight] = await innerSize();
      const { width: outerWidth, height: outerHeight } = Rect.parse(await call("GET", `${at}/window/rect`));
      await post("/window/rect", { x: 0, y: 0, width: width + outerWidth - begunWidth, height: height + outerHeight - begunHeight });
      await until("the window's size", async () => {
        const [nowWidth, nowHeight] = await innerSize();
        return nowHeight === height && nowWidth === width;
      });
    },
    screenshot: async () => Buffer.from(String(await call("GET", `${at}/screenshot`)), "base64"),
    errors: () => errors,
    close: async () => {
      await call("DELETE", at).catch(() => undefined);
      await ended(running);
    },
  };
}
