import { addPhone } from "./api.ts";
import { conversation } from "./conversation.ts";
import { list } from "./list.ts";
import { change, follow, state } from "./state.ts";

document.body.append(list(), conversation());
if (state.number !== null) await addPhone(state.number);
change({});
await follow();
