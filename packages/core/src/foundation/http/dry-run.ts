/** The header of a dry run: calls are judged, and change nothing. A request that could be meant for one is one. */
export const isDryRun = (headers: Pick<Headers, 'get'>): boolean => (headers.get('x-dry-run') ?? '0') !== '0';
