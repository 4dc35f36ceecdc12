import { composer } from "./fixtures/chat.ts";
import { expect, test } from "./fixtures/test.ts";

test("voice input writes at the cursor as it is heard, is kept or discarded, and never sends", async ({ page }) => {
  await page.addInitScript(() => {
    class Recognition extends EventTarget {
      static heard: (...texts: string[]) => void = () => {};
      static fail: (error: string) => void = () => {};
      onresult: ((event: unknown) => void) | null = null;
      onerror: ((event: unknown) => void) | null = null;
      onend: (() => void) | null = null;
      start() {
        Recognition.heard = (...texts) => this.onresult?.({ results: texts.map((transcript) => [{ transcript }]) });
        Recognition.fail = (error) => {
          this.onerror?.({ error });
          this.onend?.();
        };
      }
      stop() {
        this.onend?.();
      }
      abort() {}
    }
    Object.assign(window, { SpeechRecognition: Recognition });
  });
  const hear = (...texts: string[]) => page.evaluate((said) => Reflect.get(Object(window.SpeechRecognition), "heard")(...said), texts);
  await page.goto("/");
  await composer(page).fill("Dear reader");
  await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(4, 4));
  const button = page.getByRole("button", { name: "Voice input" });
  await button.click();
  await expect(page.getByText("Listening")).toBeVisible();
  await hear("and pa");
  await expect(composer(page)).toHaveValue("Dear and pa reader");
  await hear("and patient ", "kind");
  await expect(composer(page)).toHaveValue("Dear and patient kind reader");
  await page.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText("Listening")).toHaveCount(0);
  await expect(composer(page)).toHaveValue("Dear and patient kind reader");

  await button.click();
  await hear("nonsense");
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(composer(page)).toHaveValue("Dear and patient kind reader");

  await button.click();
  await page.evaluate(() => Reflect.get(Object(window.SpeechRecognition), "fail")("not-allowed"));
  await expect(page.getByText("The microphone is blocked")).toBeVisible();
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await expect(page).toHaveURL("/");
});
