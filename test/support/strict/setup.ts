/** A test's own options, and the end of one in which the Worker did what the platform does not let it do. */
import { afterEach, beforeEach, expect } from "vitest";
import { setOwnOptions } from "./calls.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { takeViolations } from "./violations.ts";

beforeEach(() => {
  const { testPath = "", currentTestName = "" } = expect.getState();
  const found = EXCEPTIONS.filter(({ file, test = "" }) => testPath.endsWith(`/${file}`) && currentTestName.includes(test));
  setOwnOptions(Object.assign({}, ...found.map(({ own }) => own)));
});

afterEach(() => {
  const found = takeViolations();
  if (found.length > 0) throw new Error(`The strict platform was not kept to: ${found.join("; ")}.`);
});
