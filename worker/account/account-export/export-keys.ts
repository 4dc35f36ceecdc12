/** Where all exports of a user lie, or one of them. */
export function exportFolder(userId: string, id?: string): string {
  return id === undefined ? `exports/${userId}/` : `exports/${userId}/${id}/`;
}
