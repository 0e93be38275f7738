/** Returns whether a request is a dry run: any value of the header but `0`, so that no misspelled one changes something. */
export const isDryRun = (headers: Pick<Headers, 'get'>): boolean => (headers.get('x-dry-run') ?? '0') !== '0';
