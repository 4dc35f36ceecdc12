import { infiniteQueryOptions, type InfiniteData, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import {
  decideSender,
  discardMail,
  getMail,
  listMails,
  remindOfMail,
  renewMailAddress,
  type SenderDecision,
  sendMail,
} from "#shared/contracts/chat/mails.ts";
import type { Mail } from "#shared/entities/mail.ts";
import { call } from "#web/lib/api.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

type Page = ResponseOf<typeof listMails>;

function mailsQuery(chatId: string) {
  return infiniteQueryOptions<Page, Error, InfiniteData<Page>, ReturnType<typeof keys.mails>, string | undefined>({
    queryKey: keys.mails(chatId),
    queryFn: ({ signal, pageParam: cursor }) => call(listMails, { params: { id: chatId }, query: { cursor } }, { signal }),
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
}

/** A chat's mails, newest first, and its address: read when they are shown and again with each reported change. */
export function useMails(chatId: string) {
  useEffect(
    () =>
      onLive((event) => {
        if ((event.type === "mails.changed" && event.chat_id === chatId) || event.type === "hello") void readAgain(chatId);
      }),
    [chatId],
  );
  const query = useInfiniteQuery(mailsQuery(chatId));
  return {
    ...query,
    mails: query.data?.pages.flatMap(({ emails }) => emails) ?? [],
    address: query.data?.pages[0]?.address ?? null,
  };
}

/** One mail as the list has it, and with its whole text as soon as that is read. */
export function useMail(chatId: string, listed: Mail | undefined, id: string) {
  return useQuery({
    queryKey: keys.mail(chatId, id),
    queryFn: ({ signal }) => call(getMail, { params: { id: chatId, mailId: id } }, { signal }),
    staleTime: 0,
    placeholderData: listed && { email: listed, reminder: null, outcome: null, can_send: false, can_let_in: false },
  });
}

/** Takes a mail out of quarantine or blocks its sender. */
export function useSenderDecision(chatId: string, mailId: string) {
  return useMutation({
    mutationFn: (decision: SenderDecision) => call(decideSender, { params: { id: chatId, mailId }, body: { decision } }),
    onSuccess: () => readAgain(chatId),
  });
}

/** Sends a draft, or once more what could not be sent. */
export function useSendMail(chatId: string, mailId: string) {
  return useMutation({
    mutationFn: () => call(sendMail, { params: { id: chatId, mailId }, body: {} }),
    onSettled: () => readAgain(chatId),
  });
}

/** Lets an answer rest that waits for a word. */
export function useDiscardMail(chatId: string, mailId: string) {
  return useMutation({
    mutationFn: () => call(discardMail, { params: { id: chatId, mailId }, body: {} }),
    onSettled: () => readAgain(chatId),
  });
}

/** Waits for an answer to a sent mail until then; with null no longer. */
export function useMailReminder(chatId: string, mailId: string) {
  return useMutation({
    mutationFn: (by: string | null) => call(remindOfMail, { params: { id: chatId, mailId }, body: { by } }),
    onSuccess: () => readAgain(chatId),
  });
}

/** Gives the chat another address. */
export function useNewAddress(chatId: string) {
  return useMutation({
    mutationFn: () => call(renewMailAddress, { params: { id: chatId }, body: {} }),
    onSuccess: ({ address }) =>
      queryClient.setQueryData(
        mailsQuery(chatId).queryKey,
        (held) => held && { ...held, pages: held.pages.map((page) => ({ ...page, address })) },
      ),
  });
}

function readAgain(chatId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.mails(chatId) });
}
