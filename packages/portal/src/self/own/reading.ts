/** What the pages read of one person: keys by which it is found again, and read anew when it has changed. */
import { useQuery } from '@tanstack/react-query';
import { CallError } from '../../api/manager.ts';
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

/** What changes with a factor. */
export const factorKeys = [keys.overview, keys.tokens, keys.devices, keys.list] as const;

export const useOwnDn = (): string => useSession().signedIn.administrator;

export function useOverview() {
  const own = useOwn();
  const dn = useOwnDn();
  return useQuery({
    queryKey: keys.overview,
    queryFn: (): Promise<Overview> => own((manager) => manager.SelfDesk.Overview({ dn })),
  });
}

export function useTokens(enabled: boolean) {
  const own = useOwn();
  const dn = useOwnDn();
  return useQuery({
    queryKey: keys.tokens,
    queryFn: () => own((manager) => manager.Otp.User_Tokens({ dn })),
    enabled,
  });
}

export function useDevices(enabled: boolean) {
  const own = useOwn();
  const dn = useOwnDn();
  return useQuery({
    queryKey: keys.devices,
    queryFn: () => own((manager) => manager.Otp.User_Devices({ dn })),
    enabled,
  });
}

/** Null: there is none. */
export function useList(enabled: boolean) {
  const own = useOwn();
  const dn = useOwnDn();
  return useQuery({
    queryKey: keys.list,
    queryFn: () => own((manager) => manager.Otp.List_State({ dn }).catch(nullIfMissing)),
    enabled,
  });
}

function nullIfMissing(error: unknown): null {
  if (error instanceof CallError && error.reason === 'not_found') return null;
  throw error;
}
