import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseDevVars, readGivenVars, readProductionVars } from "../../scripts/lib/dev-vars.ts";

test("names, values, quotes and comments are read", () => {
  const text = "# keys\nOPENROUTER_API_KEY=sk-1 # mine\nexport MAIL_FROM=\"Polylogue <a@b.org> # kept\"\r\n\nEMPTY=\nQUOTED='a=b'\n";
  expect(parseDevVars(text, ".dev.vars")).toEqual({
    OPENROUTER_API_KEY: "sk-1",
    MAIL_FROM: "Polylogue <a@b.org> # kept",
    EMPTY: "",
    QUOTED: "a=b",
  });
});

test.each(["A=1\nno equals sign", 'A=1\nB="open', "A=1\n=value", 'A=1\nB="x" y'])("a broken line is named: %j", (text) => {
  expect(() => parseDevVars(text, ".dev.vars")).toThrow(".dev.vars is broken in line 2");
});

async function fileOf(text: string): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "polylogue-vars-")), ".dev.vars");
  await writeFile(path, text);
  return path;
}

test("a variable in the environment overrides the file's, an empty one too, and what is no variable stays out", async () => {
  const path = await fileOf("OPENROUTER_API_KEY=from-file\nTITLE_MODEL=from-file\nEXA_API_KEY=from-file\n");
  const environment = { OPENROUTER_API_KEY: "from-environment", EXA_API_KEY: "", VERSION: "of the shell", HOME: "/" };
  expect(await readGivenVars(path, environment)).toEqual({
    OPENROUTER_API_KEY: "from-environment",
    TITLE_MODEL: "from-file",
    EXA_API_KEY: "",
  });
});

test("a broken variable is named, wherever it comes from", async () => {
  const path = await fileOf("SIGNUP=closed\n");
  await expect(readGivenVars(path)).rejects.toThrow("This deployment is not set up correctly: SIGNUP must be open or invite.");
  await expect(readGivenVars(path, { SIGNUP: "open", MESSAGES_PER_MINUTE: "many" })).rejects.toThrow(
    "This deployment is not set up correctly: MESSAGES_PER_MINUTE must be a whole number, 0 or more.",
  );
  expect(await readGivenVars(path, { SIGNUP: "open" })).toEqual({ SIGNUP: "open" });
});

test("a deployment hears what only production needs before anything of it is made", async () => {
  await expect(readProductionVars(await fileOf("TITLE_MODEL=a/b\n"))).rejects.toThrow("APP_ORIGIN must be this deployment's own address");
  const given = { APP_ORIGIN: "https://chat.example.com" };
  expect(await readProductionVars(await fileOf("APP_ORIGIN=https://chat.example.com\n"))).toEqual(given);
  const none = join(await mkdtemp(join(tmpdir(), "polylogue-vars-")), ".prod.vars");
  expect(await readProductionVars(none, "APP_ORIGIN=https://chat.example.com\n")).toEqual(given);
  await expect(readProductionVars(none)).rejects.toThrow(
    /^There is no [.\w]+, or nothing in it, and PROD_VARS is empty: docs\/deploying\.md, step 5\.$/,
  );
  await expect(readProductionVars(none, "APP_ORIGIN")).rejects.toThrow("PROD_VARS is broken in line 1");
});
