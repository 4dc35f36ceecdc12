import { expect, it } from "vitest";
import { sendMessage } from "#shared/contracts/chat/messages.ts";
import { listTodos } from "#shared/contracts/chat/todos.ts";
import { openTab } from "#test/support/live-tab.ts";
import { CHEAP_MODEL, readReply, settledOf, startChatAndRead } from "#test/support/replies.ts";
import { listOfTodos, outputOfCall, runTool } from "#test/support/tool-call.ts";
import { until } from "#test/support/until.ts";
import { signIn } from "#test/support/worker.ts";
import { addTodoItem } from "#worker/conversation/tools/add-todo-item.ts";
import { updateTodoItem } from "#worker/conversation/tools/update-todo-item.ts";
import { viewTodoList } from "#worker/conversation/tools/view-todo-list.ts";

it("the todo list is changed by the model, read by the chat's members and sent to their tabs", async () => {
  const user = await signIn();
  const tab = await openTab(user);
  const { chatId } = await startChatAndRead(
    user,
    'call addTodoItem {"text":"Read the source"}\nthen\ncall addTodoItem {"text":"Write it down","status":"in_progress","order_index":-1}\nthen\nsay Planned.',
  );
  const { todos } = await user.take(listTodos, { params: { id: chatId } });
  expect(todos).toMatchObject([
    { text: "Write it down", status: "in_progress", order_index: -1, chat_id: chatId },
    { text: "Read the source", status: "not_started", order_index: 0, chat_id: chatId },
  ]);
  await until("the news", () => tab.events.some((event) => event.type === "todo.changed" && event.chat_id === chatId));
  const stranger = await (await signIn()).call(listTodos, { params: { id: chatId } });
  expect(stranger).toMatchObject({ ok: false, error: { code: "NOT_FOUND" } });
});

it("the todo list keeps a change of one item to that item, and takes a removed one out", async () => {
  const user = await signIn();
  const chat = await startChatAndRead(user, 'call addTodoItem {"text":"One"}\ncall addTodoItem {"text":"Two"}\nthen\nsay Two.');
  const params = { id: chat.chatId };
  const { todos: before } = await user.take(listTodos, { params });
  const [one, two] = ["One", "Two"].map((text) => before.find((todo) => todo.text === text));
  const content = `call updateTodoItem {"id":"${one?.id}","status":"complete"}\ncall deleteTodoItem {"id":"${two?.id}"}\ncall deleteTodoItem {"id":"nothing"}\nthen\nsay Done.`;
  const body = { id: crypto.randomUUID(), parent_id: chat.replyId, content, model_id: CHEAP_MODEL };
  const { replyId } = await user.take(sendMessage, { params, body });
  expect(settledOf(await readReply(user, { chatId: chat.chatId, replyId })).status).toBe("done");
  expect((await user.take(listTodos, { params })).todos).toEqual([{ ...one, status: "complete" }]);
});

it("the todo list is empty in a new chat", async () => {
  const user = await signIn();
  const { chatId } = await startChatAndRead(user, "say hello");
  expect(await user.take(listTodos, { params: { id: chatId } })).toEqual({ todos: [] });
});

it("the todo list's tools give the model the whole list after each change", async () => {
  const added = await runTool(addTodoItem, { text: "  Read  " });
  expect(JSON.parse(outputOfCall(added))).toMatchObject({ todos: [{ text: "Read", status: "not_started", order_index: 0 }] });
  expect(JSON.parse(outputOfCall(await runTool(viewTodoList, {})))).toEqual({ todos: [] });
});

it("the todo list's tools refuse what is not in the list, and a list without end", async () => {
  expect((await runTool(updateTodoItem, { id: "nothing", status: "complete" })).result).toMatchObject({ ok: false });
  const todos = listOfTodos();
  for (let number = 1; number <= 200; number += 1) todos.add({ text: `Item ${number}`, status: "not_started", order_index: null });
  expect((await runTool(addTodoItem, { text: "One more" }, { todos })).result).toMatchObject({
    ok: false,
    error: expect.stringContaining("200"),
  });
});
