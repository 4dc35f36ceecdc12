import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChat, getChat, updateChat } from "#shared/contracts/chat/chats.ts";
import { leaveChat, listShares, removeShare, removeTeamShare, shareChat } from "#shared/contracts/chat/sharing.ts";
import type { ShareLevel } from "#shared/entities/share.ts";
import { type Action, can, highestRole, type Role } from "#shared/permissions.ts";
import { cases } from "#test/support/cases.ts";
import { makeTeam } from "#test/support/shared-chat.ts";
import { type Person, signIn } from "#test/support/worker.ts";

const NAMES = ["owner", "ann", "ben", "cat"] as const;
type Name = (typeof NAMES)[number];

const STEPS = 10;
/** New people come after so many cases: nobody shares more than 200 times an hour, and their lists stay short. */
const CASES_A_GROUP = 20;

const by = fc.constantFrom(...NAMES);
const to = fc.constantFrom("ann", "ben", "cat");
const level = fc.constantFrom("viewer", "editor");
const step = fc.oneof(
  fc.record({ kind: fc.constant("share"), by, to, level }),
  fc.record({ kind: fc.constant("unshare"), by, to }),
  fc.record({ kind: fc.constant("leave"), by }),
  fc.record({ kind: fc.constant("share with the team"), level }),
  fc.record({ kind: fc.constant("unshare with the team") }),
  fc.record({ kind: fc.constant("publish"), by, isPublic: fc.boolean() }),
  fc.record({ kind: fc.constant("rename"), by, title: fc.stringMatching(/^[a-z]{1,8}$/) }),
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** What must be true of a chat: who has access to it by a share of their own, what the team of owner and cat has, and whether cat left it since. */
type Model = { own: Map<Name, ShareLevel>; team: ShareLevel | null; hasCatLeft: boolean; isPublic: boolean; title: string };

function roleOf(model: Model, name: Name): Role {
  if (name === "owner") return "owner";
  const byTeam = name === "cat" && !model.hasCatLeft ? model.team : null;
  const ways = [model.own.get(name), byTeam, model.isPublic ? ("reader" as const) : null].filter(
    (role) => role !== null && role !== undefined,
  );
  return highestRole(ways);
}

/** What a call is answered: done, refused to a member, or as if the chat were not there. */
function statusOf(role: Role, action: Action): number {
  if (can(role, action)) return 200;
  return role === "reader" || role === "stranger" ? 404 : 403;
}

/** Fails where what was found is not what the model says. */
function agree(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`The model says ${String(expected)}, and ${String(found)} was found.`);
}

describe("who reaches a chat", () => {
  const people = new Map<Name, Person>();
  let teamId = "";
  const person = (name: Name): Person => people.get(name) ?? expect.fail(`${name} has not signed in.`);

  async function renewPeople(): Promise<void> {
    for (const name of NAMES) people.set(name, await signIn());
    teamId = await makeTeam("Owner and Cat", [person("owner"), person("cat")]);
  }

  async function sharesOf(id: string) {
    return person("owner").take(listShares, { params: { id } });
  }

  /** Takes a step, expects what the model does of it, and lets the model follow. */
  async function take(id: string, model: Model, next: Step): Promise<void> {
    const params = { id };
    switch (next.kind) {
      case "share": {
        if (next.by === next.to) return;
        const body = { type: "user" as const, email: person(next.to).email, permissionLevel: next.level };
        const expected = statusOf(roleOf(model, next.by), "share");
        agree((await person(next.by).call(shareChat, { params, body })).status, expected);
        if (expected !== 200) return;
        model.own.set(next.to, next.level);
        if (next.to === "cat") model.hasCatLeft = false;
        return;
      }
      case "unshare": {
        const share = (await sharesOf(id)).userShares.find(({ userEmail }) => userEmail === person(next.to).email);
        agree(share?.permissionLevel, model.own.get(next.to));
        if (!share) return;
        const expected = statusOf(roleOf(model, next.by), "share");
        agree((await person(next.by).call(removeShare, { params: { id, shareId: share.id } })).status, expected);
        if (expected === 200) model.own.delete(next.to);
        return;
      }
      case "leave": {
        const expected = next.by === "owner" ? 400 : statusOf(roleOf(model, next.by), "leave");
        agree((await person(next.by).call(leaveChat, { params })).status, expected);
        if (expected !== 200) return;
        model.own.delete(next.by);
        if (next.by === "cat") model.hasCatLeft = true;
        return;
      }
      case "share with the team": {
        const body = { type: "team" as const, teamId, permissionLevel: next.level };
        agree((await person("owner").call(shareChat, { params, body })).status, 200);
        // Who left before the team had it has left nothing.
        if (model.team === null) model.hasCatLeft = false;
        model.team = next.level;
        return;
      }
      case "unshare with the team": {
        const share = (await sharesOf(id)).teamShares.at(0);
        agree(share?.permissionLevel ?? null, model.team);
        if (!share) return;
        await person("owner").take(removeTeamShare, { params: { id, shareId: share.id } });
        model.team = null;
        return;
      }
      case "publish":
      case "rename": {
        const isRename = next.kind === "rename";
        const body = isRename ? { title: next.title } : { public: next.isPublic };
        const expected = statusOf(roleOf(model, next.by), isRename ? "rename" : "publish");
        agree((await person(next.by).call(updateChat, { params, body })).status, expected);
        if (expected !== 200) return;
        if (isRename) model.title = next.title;
        else model.isPublic = next.isPublic;
      }
    }
  }

  it("who has access to a chat is what the steps that led there say, whoever took them in whatever order", async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: STEPS }), async (steps) => {
        if (tried % CASES_A_GROUP === 0) await renewPeople();
        tried += 1;
        const { chat } = await person("owner").take(createChat, { body: { title: "first" } });
        const model: Model = { own: new Map(), team: null, hasCatLeft: false, isPublic: false, title: "first" };
        for (const next of steps) await take(chat.id, model, next);
        for (const name of NAMES) {
          const role = roleOf(model, name);
          const answer = await person(name).call(getChat, { params: { id: chat.id } });
          expect({ name, status: answer.status }).toEqual({
            name,
            status: statusOf(role, "read") === 200 && role !== "reader" ? 200 : 404,
          });
          const found = answer.ok ? [answer.body.chat.title, answer.body.chat.permissionLevel] : null;
          expect({ name, found }).toEqual({ name, found: answer.ok ? [model.title, role] : null });
        }
      }),
      cases({ sample: 25, full: 10_000 }),
    );
  });
});
