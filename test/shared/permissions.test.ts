import { expect, test } from "vitest";
import { type Action, can, highestRole, RIGHTS, ROLES } from "#shared/permissions.ts";

/** The table of the decisions, "Rights in a chat", as it is written there. */
const TABLE = `
                         owner editor viewer reader stranger
read fork                yes   yes    yes    yes    no
search export mark leave yes   yes    yes    no     no
send regenerate edit_own yes   yes    no     no     no
attach queue             yes   yes    no     no     no
edit_others stop         yes   yes    no     no     no
rename settings mail     yes   yes    no     no     no
decide                   yes   yes    no     no     no
share publish            yes   yes    no     no     no
delete                   yes   no     no     no     no
`;

const rows = TABLE.trim()
  .split("\n")
  .slice(1)
  .flatMap((line) => {
    const cells = line.trim().split(/\s+/);
    const answers = cells.slice(-ROLES.length);
    return cells.slice(0, -ROLES.length).map((action) => ({ action, answers }));
  });

test("rights in a chat are those of the table, for every role and every action", () => {
  expect(rows.map(({ action }) => action).toSorted()).toEqual(Object.keys(RIGHTS).toSorted());
  const isAction = (name: string): name is Action => Object.hasOwn(RIGHTS, name);
  for (const { action, answers } of rows) {
    if (!isAction(action)) throw new Error(`${action} is no action`);
    const found = ROLES.map((role) => (can(role, action) ? "yes" : "no"));
    expect({ action, found }).toEqual({ action, found: answers });
  }
});

test("rights in a chat never grow on the way down", () => {
  const count = ROLES.map((role) => rows.filter(({ answers }) => answers[ROLES.indexOf(role)] === "yes").length);
  expect(count).toEqual(count.toSorted((a, b) => b - a));
});

test("rights in a chat are those of the highest way someone reaches the chat", () => {
  expect(highestRole(["viewer", "editor", "reader"])).toBe("editor");
  expect(highestRole(["reader", "owner"])).toBe("owner");
  expect(highestRole(["stranger", "reader"])).toBe("reader");
  expect(highestRole([])).toBe("stranger");
});
