/** Queries of the user's data, with the keys by which they are invalidated. */
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { CallError, type Manager } from '../../api/manager.ts';
import { useSession } from '../../shell/session.tsx';
import type { Overview } from './calls.ts';
import { useOwn } from './step-up.tsx';

export const keys = {
  overview: ['self', 'overview'],
  tokens: ['self', 'tokens'],
  devices: ['self', 'devices'],
  list: ['self', 'list'],
  logins: ['self', 'logins'],
  sessions: ['self', 'sessions'],
  sshKey: ['self', 'ssh-key'],
  passwordRules: ['self', 'password-rules'],
} as const;

/** Keys that change with a factor. */
export const factorKeys = [keys.overview, keys.tokens, keys.devices, keys.list] as const;

export const useOwnDn = (): string => useSession().signedIn.administrator;

/** Reads something of the signed-in person, and asks for a fresh second factor where the server wants one. */
export function useOwnRead<Result>(
  queryKey: QueryKey,
  read: (manager: Manager, dn: string) => Promise<Result>,
  enabled = true,
) {
  const own = useOwn();
  const dn = useOwnDn();
  return useQuery({ queryKey, queryFn: () => own((manager) => read(manager, dn)), enabled });
}

export const useOverview = () =>
  useOwnRead<Overview>(keys.overview, (manager, dn) => manager.SelfDesk.Overview({ dn }));

export const useTokens = (enabled: boolean) =>
  useOwnRead(keys.tokens, (manager, dn) => manager.Otp.User_Tokens({ dn }), enabled);

export const useDevices = (enabled: boolean) =>
  useOwnRead(keys.devices, (manager, dn) => manager.Otp.User_Devices({ dn }), enabled);

/** Null: there is none. */
export const useList = (enabled: boolean) =>
  useOwnRead(keys.list, (manager, dn) => manager.Otp.List_State({ dn }).catch(nullIfMissing), enabled);

function nullIfMissing(error: unknown): null {
  if (error instanceof CallError && error.reason === 'not_found') return null;
  throw error;
}
