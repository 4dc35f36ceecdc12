/** Where all that belongs to one import lies: nothing of it outlives the import by more than a day. */
export function folderOfImport({ user_id: userId, id }: { user_id: string; id: string }): string {
  return `${folderOfImports(userId)}${id}/`;
}

export function folderOfImports(userId: string): string {
  return `imports/${userId}/`;
}

export function uploadKey(of: { user_id: string; id: string }): string {
  return `${folderOfImport(of)}file`;
}

/** What there is to import (`Plan`). */
export function planKey(of: { user_id: string; id: string }): string {
  return `${folderOfImport(of)}plan`;
}
