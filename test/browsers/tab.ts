import { until } from "../support/until.ts";
import type { Doorway } from "./doorway.ts";
import type { Driver, Key, Point } from "./driver/driver.ts";
import { elementsOf, type Target } from "./target.ts";

const DEADLINE_MS = 40_000;
/** To look takes the page's own time. */
const PAUSE_MS = 30;

/** A browser's window with the product in it, whichever browser it is. What is asked for is waited for. */
export class Tab {
  readonly driver: Driver;
  private readonly doorway: Doorway;

  constructor(driver: Driver, doorway: Doorway) {
    this.driver = driver;
    this.doorway = doorway;
  }

  goto(path: string): Promise<void> {
    return this.driver.goto(new URL(path, this.doorway.url).href);
  }

  /** The page anew, as a person reloads it. */
  async reload(): Promise<void> {
    await this.driver.goto(await this.evaluate(() => location.href));
  }

  path(): Promise<string> {
    return this.evaluate(() => location.pathname + location.search);
  }

  /** Runs a function in the page; it may use nothing from outside, and what goes in and out is JSON. */
  async evaluate<Args extends unknown[], Result>(fn: (...args: Args) => Result, ...args: Args): Promise<Awaited<Result>> {
    return this.valueOf<Awaited<Result>>(`(${fn.toString()})(${args.map(toSource).join(", ")})`);
  }

  /** Runs a function in the page with the elements that a target means at the moment; `[]` where it means none. */
  async look<Args extends unknown[], Result>(
    target: Target,
    fn: (elements: HTMLElement[], ...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return this.valueOf<Awaited<Result>>(`(${fn.toString()})(${[elementsOf(target), ...args.map(toSource)].join(", ")})`);
  }

  private async valueOf<Value>(expression: string): Promise<Value> {
    const value: Value = JSON.parse(await this.driver.evaluate(`(async () => JSON.stringify((await ${expression}) ?? null))()`));
    return value;
  }

  /** Waits until a function's answer in the page is true, and gives it. A page that is left meanwhile has not answered yet. */
  until<Args extends unknown[], Result>(what: string, fn: (...args: Args) => Result, ...args: Args): Promise<NonNullable<Awaited<Result>>> {
    let last: unknown;
    const probe = () =>
      this.evaluate(fn, ...args).catch((error: unknown) => {
        last = error;
        return null;
      });
    return until(what, probe, DEADLINE_MS, PAUSE_MS).catch((error: unknown) => {
      throw new Error(error instanceof Error ? error.message : String(error), { cause: last });
    });
  }

  /** Waits until a target is there and visible. */
  async see(target: Target): Promise<void> {
    await until(`${describeTarget(target)} to be there`, () => this.count(target).then((count) => count > 0), DEADLINE_MS, PAUSE_MS);
  }

  /** Waits until what is typed goes into a target. */
  async focused(target: Target): Promise<void> {
    await this.see(target);
    const isFocused = () => this.look(target, (elements) => elements.some((element) => element === document.activeElement));
    await until(`${describeTarget(target)} to have the focus`, () => isFocused().catch(() => false), DEADLINE_MS, PAUSE_MS);
  }

  /** Waits until a target is nowhere to be seen. */
  async lack(target: Target): Promise<void> {
    await until(`${describeTarget(target)} to be gone`, () => this.count(target).then((count) => count === 0), DEADLINE_MS, PAUSE_MS);
  }

  /** How many are visible; none where the page is just being left. */
  count(target: Target): Promise<number> {
    return this.look(target, (elements) => elements.length).catch(() => -1);
  }

  texts(target: Target): Promise<string[]> {
    return this.look(target, (elements) => elements.map(({ innerText }) => innerText));
  }

  async click(target: Target): Promise<void> {
    const { x, y } = await this.place(target);
    await this.driver.click(x, y);
  }

  async hover(target: Target): Promise<void> {
    const { x, y } = await this.place(target);
    await this.driver.move(x, y);
  }

  async drag(from: Target, to: Target): Promise<void> {
    const start = await this.place(from);
    await this.driver.drag(start, await this.place(to));
  }

  /** A point at which a target is met, once it is enabled, in view, at rest and under nothing else. */
  private async place(target: Target): Promise<Point> {
    await this.driver.show();
    return until(
      `${describeTarget(target)} to be there to be clicked`,
      () =>
        this.look(target, async ([element]) => {
          if (!element || element.matches(":disabled, [aria-disabled=true]")) return null;
          const box = () => element.getBoundingClientRect();
          const isInView = ({ top, bottom, left, right }: DOMRect) => top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
          if (!isInView(box())) element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
          const before = box();
          await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
          const { left, top, width, height } = box();
          if (left !== before.left || top !== before.top) return null;
          const [x, y] = [left + width / 2, top + height / 2];
          const hit = document.elementFromPoint(x, y);
          const label = "labels" in element && element.labels instanceof NodeList ? Array.from(element.labels) : [];
          return hit && [element, ...label].some((part) => part.contains(hit)) ? { x, y } : null;
        }).catch(() => null),
      DEADLINE_MS,
      PAUSE_MS,
    );
  }

  /** Puts a text into a field in place of what is there, as a paste does. */
  async fill(target: Target, text: string): Promise<void> {
    await this.click(target);
    await this.look(
      target,
      ([field], value) => {
        field?.focus();
        if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select();
        else document.execCommand("selectAll");
        if (value === "") document.execCommand("delete");
        else document.execCommand("insertText", false, value);
      },
      text,
    );
  }

  /** Chooses from a list of the browser's own, which no driver opens alike. */
  async choose(target: Target, label: string): Promise<void> {
    await this.see(target);
    await this.look(
      target,
      ([list], wanted) => {
        if (!(list instanceof HTMLSelectElement)) throw new Error("This is no list to choose from.");
        list.value = Array.from(list.options).find(({ text }) => text === wanted)?.value ?? "";
        list.dispatchEvent(new Event("change", { bubbles: true }));
      },
      label,
    );
  }

  async type(text: string): Promise<void> {
    await this.driver.show();
    return this.driver.type(text);
  }

  /** Presses a key, or several at once. */
  async press(...keys: Key[]): Promise<void> {
    await this.driver.show();
    return this.driver.press(keys);
  }

  upload(selector: string, ...paths: string[]): Promise<void> {
    return this.driver.upload(selector, paths);
  }

  /** The network goes, or comes back. */
  setOffline(isOffline: boolean): Promise<void> {
    return isOffline ? this.doorway.shut() : this.doorway.open();
  }

  async close(): Promise<void> {
    await this.driver.close();
    await this.doorway.close();
  }
}

function toSource(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}

function describeTarget({ role, name, text, css, within, nth }: Target): string {
  const parts = [
    role ?? css ?? "something",
    name !== undefined && `“${name}”`,
    text !== undefined && `with “${text}”`,
    nth !== undefined && `(${nth})`,
    within && `in ${describeTarget(within)}`,
  ];
  return parts.filter(Boolean).join(" ");
}
