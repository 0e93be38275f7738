/** Waits for all, also where some fail: whoever goes on then leaves nothing under way. @throws what the first of them threw */
export async function allEnded(working: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(working);
  await Promise.all(working);
}
