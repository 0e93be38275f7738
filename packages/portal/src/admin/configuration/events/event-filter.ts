/** Which events are looked for, as it is typed and as the server is asked. */

export interface EventFilter {
  readonly application: string;
  readonly dn: string;
  readonly client: string;
  readonly text: string;
  /** Moments as `<input type="datetime-local">` writes them, in the browser's time zone. */
  readonly start: string;
  readonly stop: string;
}

export const noFilter: EventFilter = { application: '', dn: '', client: '', text: '', start: '', stop: '' };

export function searchOf({ start, stop, ...words }: EventFilter): Partial<EventFilter> {
  const all = { ...words, start: writtenMoment(start, '00'), stop: writtenMoment(stop, '59') };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value.trim() !== ''));
}

/** `YYYY-MM-DD HH:MM:SS` in UTC. The minute that is typed is meant as a whole. */
function writtenMoment(local: string, seconds: string): string {
  const at = new Date(`${local}:${seconds}`);
  return local === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 19).replace('T', ' ');
}
