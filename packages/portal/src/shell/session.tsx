/** The signed-in user, and calls by that user. */
import { useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { connectManagers, type Managers } from '../api/manager.ts';
import { type Rights, readRights } from '../api/rights.ts';
import { readSession, type SignedIn, type SignedOut, type Site, signOut } from '../api/session.ts';

export interface Session extends Managers {
  readonly signedIn: SignedIn;
  readonly rights: Rights;
  leave(): Promise<void>;
}

/** `over`: it was there, and ended without a word of its user's. */
export type Door =
  | { readonly kind: 'looking' }
  | {
      readonly kind: 'outside';
      readonly door: SignedOut;
      readonly why: 'new' | 'left' | 'over' | 'unreachable';
    }
  | { readonly kind: 'inside'; readonly session: Session };

interface SessionValue {
  readonly door: Door;
  /** Loads again who is signed in. */
  look(): Promise<void>;
}

const SessionContext = createContext<SessionValue | undefined>(undefined);

export function useDoor(): SessionValue {
  const value = useContext(SessionContext);
  if (value === undefined) throw new Error('There is no SessionProvider around this');
  return value;
}

/** @throws Error outside of a page of somebody who is signed in */
export function useSession(): Session {
  const { door } = useDoor();
  if (door.kind !== 'inside') throw new Error('Nobody is signed in');
  return door.session;
}

interface ProviderProps {
  readonly site: Site;
  /** Whether rights are loaded: for administrators, not for users. */
  readonly hasRights: boolean;
  readonly children: ReactNode;
}

export function SessionProvider({ site, hasRights, children }: ProviderProps) {
  const [door, setDoor] = useState<Door>({ kind: 'looking' });
  const queries = useQueryClient();
  const called = useRef(() => {});
  const leaveTo = useCallback(
    async (why: 'left' | 'over') => {
      queries.clear();
      const state = await readSession(site).catch(() => undefined);
      setDoor({ kind: 'outside', door: state?.signedIn === false ? state : { signedIn: false }, why });
    },
    [site, queries],
  );
  const look = useCallback(async () => {
    const state = await readSession(site).catch(() => undefined);
    if (state === undefined) setDoor({ kind: 'outside', door: { signedIn: false }, why: 'unreachable' });
    else if (!state.signedIn) setDoor({ kind: 'outside', door: state, why: 'new' });
    else
      setDoor({
        kind: 'inside',
        session: await openSession({ site, state, hasRights, leaveTo, onCall: () => called.current() }),
      });
  }, [site, hasRights, leaveTo]);
  useEffect(() => {
    look();
  }, [look]);
  const restart = useIdleEnd(door, leaveTo);
  called.current = restart;
  const value = useMemo(() => ({ door, look }), [door, look]);
  return <SessionContext value={value}>{children}</SessionContext>;
}

interface Opening {
  readonly site: Site;
  readonly state: SignedIn;
  readonly hasRights: boolean;
  readonly leaveTo: (why: 'left' | 'over') => Promise<void>;
  readonly onCall: () => void;
}

async function openSession({ hasRights, leaveTo, ...opening }: Opening): Promise<Session> {
  const { site, state, onCall } = opening;
  const onSignedOut = () => void leaveTo('over');
  const managers = connectManagers({ site, csrf: state.csrf, onCall, onSignedOut });
  const rights = hasRights ? await readRights(managers.manager) : ownRights;
  const leave = async () => {
    await signOut(site, state.csrf).catch(() => undefined);
    await leaveTo('left');
  };
  return { ...managers, signedIn: state, rights, leave };
}

/** Rights of a user at self-service: the server says method by method what is permitted. */
const ownRights: Rights = {
  ...{ isSuper: false, mayWriteMembers: false, mayMakePeople: false },
  may: () => true,
  mayRead: () => true,
};

/** Shows the sign-in page when the session ends, a number of seconds after its last call. */
function useIdleEnd(door: Door, leaveTo: (why: 'over') => Promise<void>): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const seconds = door.kind === 'inside' ? door.session.signedIn.idleSeconds : undefined;
  const restart = useCallback(() => {
    clearTimeout(timer.current);
    if (seconds !== undefined) timer.current = setTimeout(() => leaveTo('over'), seconds * 1000);
  }, [seconds, leaveTo]);
  useEffect(() => {
    restart();
    return () => clearTimeout(timer.current);
  }, [restart]);
  return restart;
}
