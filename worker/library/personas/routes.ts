import type { Hono } from "hono";
import {
  createPersona,
  deletePersona,
  getPersona,
  listPersonas,
  listPersonaVersions,
  restorePersona,
  setDefaultPersona,
  updatePersona,
} from "#shared/contracts/library/personas.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import {
  addPersona,
  changePersona,
  findPersona,
  makeDefault,
  readPersonas,
  readVersions,
  removePersona,
  restoreVersion,
} from "./personas.ts";

export function personaRoutes(app: Hono<AppContext>): void {
  serve(app, listPersonas, ({ c, caller }) => readPersonas(c.var.db, caller.userId));

  serve(app, createPersona, async ({ c, caller, body }) => {
    const persona = await addPersona(c.var.db, caller.userId, body);
    notifyTabs(c, "persona", caller.userId);
    return { persona };
  });

  serve(app, getPersona, async ({ c, caller, params }) => ({ persona: await findPersona(c.var.db, caller.userId, params.id) }));

  serve(app, updatePersona, async ({ c, caller, params, body }) => {
    const persona = await changePersona(c.var.db, caller.userId, params.id, body);
    notifyTabs(c, "persona", persona.user_id, caller.userId);
    return { persona };
  });

  serve(app, deletePersona, async ({ c, caller, params }) => {
    await removePersona(c.var.db, caller.userId, params.id);
    notifyTabs(c, "persona", caller.userId);
    return OK;
  });

  serve(app, setDefaultPersona, async ({ c, caller, params }) => {
    await makeDefault(c.var.db, caller.userId, params.id);
    notifyTabs(c, "persona", caller.userId);
    return OK;
  });

  serve(app, listPersonaVersions, async ({ c, caller, params }) => ({ versions: await readVersions(c.var.db, caller.userId, params.id) }));

  serve(app, restorePersona, async ({ c, caller, params, body }) => {
    const persona = await restoreVersion(c.var.db, caller.userId, params.id, body.version);
    notifyTabs(c, "persona", caller.userId);
    return { persona };
  });
}

const OK = { ok: true } as const;
