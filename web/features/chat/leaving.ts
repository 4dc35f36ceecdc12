/** Chats that this tab is leaving by itself: losing them is no news. */
export const leaving = new Set<string>();
