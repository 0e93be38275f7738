/** The types of SSH keys that a user may register, in the self-service portal or by a link. */

import { sshKeyTypes, sshkeySelfSettings } from '../../administration/policy/self/settings.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { OwnCaller } from '../../table/own-calls.ts';
import { read } from '../../table/setting.ts';
import type { Setting } from '../../table/setting-row.ts';
import { listedWords } from './settings.ts';

/** Returns the types that a setting allows. @param list the setting that lists them */
export const registrableTypes =
  (settings: Settings, list: Setting): OwnCaller['typesOf'] =>
  (of) =>
    of === 'SSHKEY' ? allowedKeyTypes(settings, list) : undefined;

type SshKeyType = (typeof sshKeyTypes)[number];

/** Reads the types that a setting lists; without a list: all. */
function allowedKeyTypes(settings: Settings, list: Setting): readonly SshKeyType[] {
  const text = read(settings, list);
  if (text === undefined) return sshKeyTypes;
  const words = listedWords(text);
  return sshKeyTypes.filter((type) => words.includes(type));
}

/** The type of a key that is made: `SshKey.KeyType`, or the first that is allowed. */
export function madeKeyType(settings: Settings, list: Setting): SshKeyType {
  const allowed = allowedKeyTypes(settings, list);
  const preferred = sshKeyTypes.find((type) => type === read(settings, sshkeySelfSettings.KeyType));
  return (preferred && allowed.includes(preferred) ? preferred : allowed[0]) ?? 'ED25519';
}
