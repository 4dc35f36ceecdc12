import { expect, test } from "vitest";
import { splitSheet } from "../../scripts/lib/build/split-sheet.ts";

const SHEET = String.raw`@layer theme{:root{--a:"}"}}@layer utilities{.p-4{padding:4px}.w-1\/2,.w-\[min\(1px\,2px\)\]{width:50%}.\32 xl{top:0}:is(.\*\:flex>*){display:flex}@media (min-width:769px){.desk\:p-8{padding:8px}}.hover\:p-6:is(:where(.group,.p-4):hover *){padding:6px}}@font-face{src:url("a;b{c")}@property --x{inherits:false}`;

test("the first sheet lacks the utilities that nothing early names, and the rest has all of them in their order", () => {
  const needed = new Set(["p-4", "w-[min(1px,2px)]", "hover:p-6"]);
  const { first, rest } = splitSheet(SHEET, (name) => needed.has(name));
  expect(first).toBe(
    String.raw`@layer theme{:root{--a:"}"}}@layer utilities{.p-4{padding:4px}.w-\[min\(1px\,2px\)\]{width:50%}:is(.\*\:flex>*){display:flex}.hover\:p-6:is(:where(.group,.p-4):hover *){padding:6px}}@font-face{src:url("a;b{c")}@property --x{inherits:false}`,
  );
  expect(rest).toBe(SHEET.slice(SHEET.indexOf("@layer utilities"), SHEET.indexOf("@font-face")));
  expect(splitSheet(SHEET, () => true).first).toBe(SHEET);
});

test("a name is read without the escapes of its selector", () => {
  const names: string[] = [];
  splitSheet(SHEET, (name) => names.push(name) > 0);
  expect(names).toEqual(["p-4", "w-1/2", "w-[min(1px,2px)]", "2xl", "desk:p-8", "hover:p-6"]);
});

test("a sheet that breaks off is refused", () => {
  expect(() => splitSheet("@layer utilities{.a{b:c}", () => true)).toThrow("Unclosed block");
});
