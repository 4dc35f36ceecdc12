import { expect, it } from "vitest";
import { splitSteps } from "#shared/library/chain.ts";

it("the steps of a chain are split at lines of three dashes, without empty ones", () => {
  expect(splitSteps("One\n---\nTwo\nlines\n---  \n\n---\r\nThree")).toEqual(["One", "Two\nlines", "Three"]);
});

it("the steps of a chain leave a prompt of one step exactly as it is", () => {
  for (const prompt of ["  One \n", "---\nOne\n", "One\n----\nTwo", "One --- two", "- - -", "One\n ---", "---", ""]) {
    expect(splitSteps(prompt)).toEqual([prompt]);
  }
});

it("the steps of a chain are not split within code", () => {
  expect(splitSteps("```yaml\na: 1\n---\nb: 2\n```\n---\nNext")).toEqual(["```yaml\na: 1\n---\nb: 2\n```", "Next"]);
  expect(splitSteps("~~~~\n---\n~~~\n---\n```\n~~~~\n---\nNext")).toHaveLength(2);
  expect(splitSteps("```\nnever closed\n---\nend")).toHaveLength(1);
  expect(splitSteps("``` a ` b\n---\nNext")).toHaveLength(2);
});
