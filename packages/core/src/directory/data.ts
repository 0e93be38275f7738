/**
 * Data that applications keep with a user (concepts.md §5): in `webadmdata`, comma-separated
 * `App.Key=<base64>`. All but the keys that an application calls public are encrypted, bound to the entry
 * and the key, and marked `{wcrypt}`; a value copied to another user or another key does not open.
 */
import type { Core } from '../core.ts';
import { ServiceError } from '../errors.ts';
import type { Call } from '../method.ts';
import { decodeBase64 } from '../schema.ts';
import { readActive, requireSchema } from './activation.ts';
import type { Entry } from './directory.ts';
import type { Dn } from './dn.ts';
import { texts } from './entry.ts';
import { swapValues } from './swap.ts';

export type UserData = ReadonlyMap<string, Uint8Array>;

const mark = '{wcrypt}';
const maxBytes = 65_536;

/** Set_User_Data: merged into what is stored; null removes. @throws ServiceError `invalid_params` */
export async function setData(
  dn: Dn,
  wanted: ReadonlyMap<string, string | boolean | null>,
  call: Call,
): Promise<void> {
  const { identifier } = await call.core.directory.capabilities();
  const entry = await readActive(dn, [identifier], call);
  await requireSchema(call.core);
  const place = placeOf(entry, { dn, identifier, core: call.core });
  const changes = Array.from(wanted, ([name, value]) => checkDatum(name, value, call.core));
  const written = new Map(changes.map(([key, bytes]) => [key, bytes && write(key, bytes, place)]));
  const attribute = call.core.config.schema.data_attribute;
  await swapValues(
    call.directory,
    { dn, attribute },
    {
      next: (values) => merge(values, written, call.core),
      isSound: (values) => values.length <= 1,
    },
  );
}

/** Get_User_Data: what is stored, all of it or the keys asked for, decrypted. */
export async function readData(dn: Dn, names: readonly string[] | undefined, call: Call): Promise<UserData> {
  const { core } = call;
  const attribute = core.config.schema.data_attribute;
  const { identifier } = await core.directory.capabilities();
  const entry = await readActive(dn, [identifier, attribute], call);
  const all = parse(texts(entry, attribute), core);
  if (all.size === 0) return new Map();
  const place = placeOf(entry, { dn, identifier, core });
  const wanted = names && new Set(names.map((name) => core.names.oursDotted(name)));
  const asked = [...all].filter(([key]) => !wanted || wanted.has(key));
  return new Map(asked.map(([key, value]) => [core.names.theirsDotted(key), read(key, value, place)]));
}

/** Which entry a secret is bound to, for ever: its UUID or GUID. A DN changes with a move, that does not. */
interface Place {
  readonly core: Core;
  readonly entry: string;
}

function placeOf(
  { attributes }: Entry,
  { dn, identifier, core }: { dn: Dn; identifier: string; core: Core },
): Place {
  const id = attributes.get(identifier)?.[0];
  if (id === undefined) {
    throw new ServiceError('permission_denied', {
      detail: `Could not read ${identifier} of LDAP object '${dn}'`,
    });
  }
  return { core, entry: typeof id === 'string' ? id.toLowerCase() : Buffer.from(id).toString('hex') };
}

function write(key: string, bytes: Uint8Array, { core, entry }: Place): string {
  if (isPublic(key, core)) return Buffer.from(bytes).toString('base64');
  return mark + Buffer.from(core.keys.seal(bytes, `${entry}:${key}`)).toString('base64');
}

function read(key: string, value: string, { core, entry }: Place): Uint8Array {
  if (!value.startsWith(mark)) return stored(key, value);
  return core.keys.open(stored(key, value.slice(mark.length)), `${entry}:${key}`);
}

/** What is on the entry is not the caller's to mend. */
function stored(key: string, value: string): Uint8Array {
  try {
    return decodeBase64(value, key);
  } catch (cause) {
    throw new ServiceError('internal', { detail: `what is stored as ${key} is no base64`, cause });
  }
}

function isPublic(key: string, core: Core): boolean {
  const [application = '', name = ''] = key.split('.', 2);
  return (
    Object.hasOwn(core.applications, application) &&
    core.applications[application]?.publicData.includes(name) === true
  );
}

function checkDatum(
  name: string,
  value: string | boolean | null,
  core: Core,
): readonly [string, Uint8Array | null] {
  const key = core.names.oursDotted(name);
  const application = key.split('.', 1)[0] ?? '';
  if (
    !/^[A-Za-z][A-Za-z0-9]*\.[A-Za-z0-9]{1,64}$/.test(key) ||
    !Object.hasOwn(core.applications, application)
  ) {
    throw new ServiceError('invalid_params', {
      detail: `Parameter data: there is no key '${name.slice(0, 64)}'`,
    });
  }
  if (value === null) return [key, null];
  if (typeof value === 'boolean')
    throw new ServiceError('invalid_params', { detail: 'Parameter data not Base64' });
  const bytes = decodeBase64(value, 'data');
  if (bytes.length > maxBytes) {
    throw new ServiceError('too_large', {
      detail: `Parameter data: ${key} is longer than ${maxBytes} bytes`,
    });
  }
  return [key, bytes];
}

function parse(values: readonly string[], core: Core): ReadonlyMap<string, string> {
  const pairs = values
    .flatMap((value) => value.split(','))
    .flatMap((pair): (readonly [string, string])[] => {
      const equals = pair.indexOf('=');
      return equals > 0
        ? [[core.names.oursDotted(pair.slice(0, equals).trim()), pair.slice(equals + 1).trim()]]
        : [];
    });
  return new Map(pairs);
}

/** All keys in one value, whatever they stood in before. */
function merge(
  values: readonly string[],
  changes: ReadonlyMap<string, string | null>,
  core: Core,
): readonly string[] {
  const merged = new Map<string, string | null>([...parse(values, core), ...changes]);
  const pairs = [...merged].flatMap(([key, value]) => (value === null ? [] : [`${key}=${value}`]));
  return pairs.length === 0 ? [] : [pairs.join(',')];
}
