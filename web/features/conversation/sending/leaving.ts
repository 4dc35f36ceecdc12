/** Chats that this tab deletes or leaves by itself: losing them is no news. */
export const leaving = new Set<string>();
