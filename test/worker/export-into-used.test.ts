import { expect, it } from "vitest";
import { getUser, putAllowlist, updateUser } from "#shared/contracts/account/users.ts";
import { listPersonas, updatePersona } from "#shared/contracts/library/personas.ts";
import { PERSONALIZATION_MARKER } from "#shared/library/personas.ts";
import { downloaded, madeExport } from "#test/support/account-export.ts";
import { importFile } from "#test/support/imports/upload-import.ts";
import { type Person, signIn } from "#test/support/worker.ts";

const MODEL = { id: "openai/gpt-5-nano", name: "Nano" };
const personalizationText = (text: string) => `${PERSONALIZATION_MARKER}\n${text}`;

const personalize = (person: Person, text: string) =>
  person.take(updatePersona, { params: { id: person.user.id }, body: { personalization: personalizationText(text) } });

async function personalizationOf(person: Person): Promise<string | null | undefined> {
  const { personas } = await person.take(listPersonas, {});
  return personas.find(({ is_personalized: isIt }) => isIt)?.personalization;
}

it("the import of another account fills what is empty, and changes nothing that was set or costs money", async () => {
  const one = await signIn();
  await one.take(updateUser, {
    body: { display_name: "Other", time_zone: "Europe/Berlin", notify_replies: true, triggered_daily_budget: 50 },
  });
  await one.take(putAllowlist, { body: { model_allowlist: [MODEL] } });
  await personalize(one, "Calls me captain.");
  const bytes = await downloaded(one, (await madeExport(one)).id);

  const used = await signIn();
  await used.take(updateUser, { body: { time_zone: "America/New_York" } });
  await used.take(putAllowlist, { body: { model_allowlist: [{ ...MODEL, name: "Mine" }] } });
  await personalize(used, "Calls me Kim.");
  const { user: before } = await used.take(getUser, {});
  const { notes } = await importFile(used, bytes, { name: "polylogue.zip" });
  expect((await used.take(getUser, {})).user).toEqual({ ...before, notify_replies: true });
  expect(await personalizationOf(used)).toBe(personalizationText("Calls me Kim."));
  expect(notes.map(({ title, reason }) => `${title}: ${reason}`)).toEqual(
    expect.arrayContaining([
      "time zone: You have set it otherwise here, which stays.",
      "triggered daily budget: A file raises no budget: set it where you want that.",
      expect.stringContaining("You have one here, which stays."),
    ]),
  );

  const fresh = await signIn();
  await importFile(fresh, bytes, { name: "polylogue.zip" });
  expect(await personalizationOf(fresh)).toBe(personalizationText("Calls me captain."));
  expect((await fresh.take(getUser, {})).user).toMatchObject({ time_zone: "Europe/Berlin", triggered_daily_budget: 1 });
});
