/** The rows of the method table for sessions of the Admin Portal (an extension of ours). */

import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import { method } from '../../../table/method.ts';
import { text, written } from '../../../table/schema/index.ts';
import { type AdminSession, endSession, type ListingCall, listSessions } from './listed-sessions.ts';
import type { SessionAbout } from './session-record.ts';

const field = { type: 'string' };
const moment = { ...field, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' };

const sessions = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id: { ...field, description: 'For `End_Admin_Session`; it opens nothing.' },
        administrator: { ...field, format: 'dn' },
        address: { ...field, description: 'Of the browser that it began in.' },
        began: moment,
        used: { ...moment, description: 'The last request, up to some seconds ago; in UTC.' },
        own: { type: 'boolean', description: 'The call comes with it.' },
      },
    },
  },
  (listed: readonly AdminSession[]) =>
    listed.map(({ id, administrator, address, began, used, own }) => ({
      ...{ id, administrator, address, own },
      ...{ began: formatTimestamp(began), used: formatTimestamp(used) },
    })),
);

export const sessionMethods = {
  Admin_Sessions: method({
    summary:
      'Lists the sessions of the Admin Portal on all nodes, the newest first: to super administrators everybody’s, to others their own. Every administrator may call it.',
    on: 'nothing',
    params: {},
    result: sessions,
    permission: 'self',
    run: (_, call: ListingCall) => listSessions(call),
  }),
  End_Admin_Session: method({
    summary:
      'Ends a session of the Admin Portal on every node, by its id in `Admin_Sessions`: super administrators anybody’s, others their own.',
    on: 'nothing',
    params: { id: text() },
    example: { id: '0f8c2d6b3e91a75c404f1d0c9a5b7e4a0f8c2d6b3e91a75c404f1d0c9a5b7e4a' },
    result: written({ type: 'boolean' }, (_: SessionAbout) => true),
    permission: 'write',
    run: ({ id }, call: ListingCall) => endSession(id, call),
    audit: ({ administrator, address }) => ({ administrator, address }),
  }),
} as const;
