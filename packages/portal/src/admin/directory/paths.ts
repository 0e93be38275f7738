/** The address of an entry's page. */
export const entryPath = (dn: string): string => `/directory?dn=${encodeURIComponent(dn)}`;
