/** The rows of the operation table for SSO sessions. */

import { statusOperation } from '../../administration/status/service-status.ts';
import { refusalsOf, type ThrownRefusal } from '../../foundation/errors/refusal-table.ts';
import { integerField, textField } from '../../table/field.ts';
import { operation } from '../../table/operation.ts';
import { checkSession, stopSession } from './check.ts';
import type { SsoCall } from './session.ts';
import { startSession } from './start.ts';

const verdict = { code: integerField, error: textField, message: textField };

const { refusal, refuse } = refusalsOf({ AuthFailed: 'Invalid user or user not found' });

const success = { code: 1, error: '', message: 'Operation success' } as const;

type SsoAnswer<Fields = object> = (typeof success & Fields) | ThrownRefusal;

type Started = { readonly session: string; readonly timeout: number };
type Checked = { readonly data: string; readonly timeout: number };

const session = 'aB3dE5fG7hJ9kL1m';

export const ssoOperations = {
  ssoStart: operation({
    summary:
      'Begins a session of a user who has logged in, for the cookie of its browser; `data` is kept with it. No password is asked for: the calling system has to be one that may say who somebody is.',
    isForSystems: true,
    request: {
      ...{ username: textField, domain: textField, data: textField },
      ...{ client: textField, source: textField, settings: textField },
    },
    response: { ...verdict, session: textField, timeout: integerField },
    example: { username: 'alice', data: 'locale=de' },
    refuse,
    run: async (request, call: SsoCall): Promise<SsoAnswer<Started>> => {
      const started = await startSession(request, call);
      return started ? { ...success, ...started } : refusal('AuthFailed');
    },
  }),
  ssoCheck: operation({
    summary:
      'Tells whether a session lives, and what is kept with it, which `data` replaces where it is given. It lives on from here, where the settings say so.',
    isForSystems: true,
    request: { session: textField, data: textField },
    response: { ...verdict, data: textField, timeout: integerField },
    example: { session },
    refuse,
    run: async (request, call: SsoCall): Promise<SsoAnswer<Checked>> => ({
      ...success,
      ...(await checkSession(request, call)),
    }),
  }),
  ssoStop: operation({
    summary: 'Ends a session, on every node.',
    isForSystems: true,
    request: { session: textField },
    response: verdict,
    example: { session },
    refuse,
    run: async ({ session }, call: SsoCall): Promise<SsoAnswer> => {
      await stopSession(session, call);
      return success;
    },
  }),
  ssoStatus: statusOperation(refusal('ServerError').message),
} as const;
