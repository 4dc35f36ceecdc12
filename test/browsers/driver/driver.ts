import type { KeyInput } from "puppeteer-core";

/** A key's name, as `KeyboardEvent.key` has it. */
export type Key = KeyInput;

export type Point = { x: number; y: number };

/** One browser window of its own (nothing shared with another) as a driver moves it: what `Tab` builds everything else from. */
export interface Driver {
  /** Starts on an address, and comes back once its document is there. */
  goto(url: string): Promise<void>;
  /** The value of a JavaScript expression in the page, awaited where it is a promise; strings alone come out. */
  evaluate(expression: string): Promise<string>;
  /** Brings the window before all others, as whoever uses it does: what is behind is neither drawn nor moves. */
  show(): Promise<void>;
  move(x: number, y: number): Promise<void>;
  /** Presses and lets go of the mouse's first button, there. */
  click(x: number, y: number): Promise<void>;
  /** Presses the first button at a place, takes what is there to another, and lets go. */
  drag(from: Point, to: Point): Promise<void>;
  wheel(x: number, y: number, by: number): Promise<void>;
  /** Holds the keys down in turn and lets go of them the other way round. */
  press(keys: readonly Key[]): Promise<void>;
  /** Types a text as keys. */
  type(text: string): Promise<void>;
  /** Hands files to the file field that a selector finds. */
  upload(selector: string, paths: readonly string[]): Promise<void>;
  /** Sets the size of what shows the page. */
  resize(width: number, height: number): Promise<void>;
  screenshot(): Promise<Buffer>;
  /** What the page's console held of errors, and what was thrown and not caught, since the window opened. */
  errors(): readonly string[];
  close(): Promise<void>;
}

/** What is dragged passes so many places on its way. */
export const DRAG_STEPS = 6;

/** A browser on this machine, of which windows are opened. */
export interface Engine {
  open(): Promise<Driver>;
  close(): Promise<void>;
}
