/** The address of an entry's page. */
export const entryPath = (dn: string): string => `/directory?dn=${encodeURIComponent(dn)}`;

/** Returns whether the page of an entry is open. */
export const isLookedAt = (dn: string): boolean => new URLSearchParams(location.search).get('dn') === dn;
