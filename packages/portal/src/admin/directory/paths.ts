/** The address of an entry's page. */
export const entryPath = (dn: string): string => `/directory?dn=${encodeURIComponent(dn)}`;

/** Its page is the one that is open: whoever has gone elsewhere stays there. */
export const isLookedAt = (dn: string): boolean => new URLSearchParams(location.search).get('dn') === dn;
