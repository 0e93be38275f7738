/** Timestamps of the server: `2026-11-24 23:49:48`, in UTC. */
export const momentOf = (written: string): Date => new Date(`${written.replace(' ', 'T')}Z`);
