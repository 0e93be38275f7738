/** The connection to the server: the typed client, with the session of the browser. */
import { createManager, type Fetch, type Manager } from '@watchword/client';
import type { Site } from './session.ts';

export type { BatchPlan, Manager, PlannedCall } from '@watchword/client';
export { CallError } from '@watchword/client';

export interface Connection {
  readonly site: Site;
  readonly csrf: string;
  /** Each call keeps the session. */
  readonly onCall: () => void;
  /** The server knows the session no more. */
  readonly onSignedOut: () => void;
}

export interface Managers {
  readonly manager: Manager;
  /** Judges a call and changes nothing: what it answers is what would be done. */
  readonly dryRun: Manager;
}

export function connectManagers(connection: Connection): Managers {
  const connect = (headers: Readonly<Record<string, string>>): Manager =>
    createManager({
      url: new URL(`/${connection.site}/rpc`, location.href),
      headers: { ...headers, 'x-csrf-token': connection.csrf },
      fetch: watched(connection),
      // The page came from there already, over whatever it came.
      allowPlain: true,
    });
  return { manager: connect({}), dryRun: connect({ 'x-dry-run': '1' }) };
}

const watched =
  ({ onCall, onSignedOut }: Connection): Fetch =>
  async (url, request) => {
    onCall();
    const answer = await fetch(url, request);
    if (answer.status === 401) onSignedOut();
    return answer;
  };
