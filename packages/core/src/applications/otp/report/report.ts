/** Reports for administrators about the factors of one user, and of all users of a domain. */

import type { BlockView } from '../../../administration/status/blocks.ts';
import { type BlockState, blockOf } from '../../../administration/status/blocks.ts';
import { type FidoDevice, readDevices } from '../../../authenticators/device.ts';
import type { Token } from '../../../authenticators/token.ts';
import { readTokens } from '../../../authenticators/token-data.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import { type EntryProfile, readProfile } from '../../../directory/data/profile.ts';
import { settingsInForce } from '../../../directory/data/settings.ts';
import type { Domains } from '../../../directory/domain.ts';
import { missingContainer, readExisting, texts } from '../../../directory/entry/entry.ts';
import { activeFilter, userFilter } from '../../../directory/entry/user.ts';
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { and, type Filter } from '../../../foundation/text/filter.ts';
import { lastLogin } from '../../../login/account.ts';
import type { AccountView } from '../../../login/view.ts';
import type { ChannelView } from '../../../messaging/contact-channels.ts';
import type { Entry } from '../../../ports/directory/directory.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { AskedTexts } from '../../../table/schema/index.ts';
import { methodsOfProfile } from '../token/token-report.ts';

/** Which parts are wanted; the statistics of other servers, which `reset` sets back, are not kept here. */
export interface ReportParts {
  readonly token?: boolean | undefined;
  readonly u2f?: boolean | undefined;
  readonly block?: boolean | undefined;
  readonly expire?: boolean | undefined;
  readonly reset?: boolean | undefined;
}

export interface UserReport {
  readonly name: Dn;
  /** `YYYY-MM-DD HH:MM:SS`; undefined: never. */
  readonly lastLogin: string | undefined;
  /** Login methods, as `Otp.User_Methods` names them. */
  readonly methods: readonly string[];
  readonly tokens?: readonly Token[];
  readonly devices?: readonly FidoDevice[];
  readonly block?: BlockState;
  readonly password?: PasswordAge;
  readonly settings?: AskedTexts;
}

/** The age of a password as the directory has it, in milliseconds since 1970. */
export interface PasswordAge {
  readonly changed?: number | undefined;
  /** Left out: the directory does not tell, or it never does. */
  readonly expires?: number | undefined;
  readonly mustChange: boolean;
}

export interface ReportView extends AccountView, ChannelView, BlockView {
  readonly store: Store;
  readonly keys: BlockView['keys'];
  readonly config: AccountView['config'] & ChannelView['config'] & Pick<ServiceConfig, 'limits'>;
  readonly domains: Domains;
}

/** @throws ServiceError `not_found`; `invalid_params` for `reset` */
export function reportOn(dn: Dn, parts: ReportParts, call: ReportView): Promise<UserReport> {
  checkParts(parts);
  return reportOf(dn, parts, call);
}

function checkParts({ reset = false }: ReportParts): void {
  if (reset)
    throw new ServiceError('invalid_params', {
      detail: 'Parameter reset: a report counts nothing that could be set back; leave it out',
    });
}

async function reportOf(name: Dn, parts: ReportParts, call: ReportView): Promise<UserReport> {
  const profile = await readProfile(name, call);
  const { data } = profile;
  return {
    name,
    lastLogin: await lastLoginOf(profile, call),
    methods: await methodsOfProfile(profile, call),
    ...(parts.token && { tokens: readTokens(data) }),
    ...(parts.u2f && { devices: readDevices(data) }),
    ...(parts.block && { block: await blockOf(profile, call) }),
    ...(parts.expire && { password: await passwordAge(name, call) }),
  };
}

const datum = 'Otp.LastLogin';

async function lastLoginOf({ data, id }: EntryProfile, call: ReportView): Promise<string | undefined> {
  const stored = data.keys.includes(datum) ? data.get(datum) : undefined;
  const found = await lastLogin(stored, id, call);
  return found && Buffer.from(found).toString();
}

/** RFC draft-behera-ldap-password-policy §5.3; [MS-ADA3] and [MS-ADA2]. */
const ages = {
  changed: 'pwdChangedTime',
  reset: 'pwdReset',
  set: 'pwdLastSet',
  expires: 'msDS-UserPasswordExpiryTimeComputed',
} as const;

async function passwordAge(dn: Dn, { directory }: ReportView): Promise<PasswordAge> {
  const entry = await readExisting(directory, dn, Object.values(ages));
  const [set] = texts(entry, ages.set);
  return {
    changed: generalized(entry) ?? windowsTime(set),
    expires: windowsTime(texts(entry, ages.expires)[0]),
    mustChange: texts(entry, ages.reset)[0] === 'TRUE' || set === '0',
  };
}

/** RFC 4517 §3.3.13, as far as directories write it: in UTC. */
function generalized(entry: Entry): number | undefined {
  const [, ...parts] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.\d+)?Z$/.exec(texts(entry, ages.changed)[0] ?? '') ?? [];
  const [year, month, day, hour, minute, second] = parts.map(Number);
  return year === undefined ? undefined : Date.UTC(year, (month ?? 1) - 1, day, hour, minute, second);
}

/** [MS-ADTS] §3.1.1.2.2.2.9: intervals of 100 ns since 1601; 0 and the largest stand for none. */
function windowsTime(text: string | undefined): number | undefined {
  if (text === undefined || !/^[1-9]\d{0,18}$/.test(text) || text === '9223372036854775807') return undefined;
  return Number(BigInt(text) / 10_000n) - 11_644_473_600_000;
}

export interface WantedReports extends ReportParts {
  readonly domain: string;
  readonly filter?: Filter | undefined;
  /** Names of settings. */
  readonly settings?: readonly string[] | undefined;
}

/** Users that are read at once. */
const width = 8;

/**
 * Reports on all activated users, or those that match the filter.
 * @returns false if there is no such domain
 * @throws ServiceError `too_large`
 */
export async function reportOnDomain(
  { domain: name, filter, settings, ...parts }: WantedReports,
  call: ReportView,
): Promise<ReadonlyMap<string, UserReport> | false> {
  checkParts(parts);
  const domain = call.domains.find(name);
  if (!domain) return false;
  const left = (await usersOf(domain.base, filter, call)).map(({ dn }) => dn);
  const reports = new Map<string, UserReport | undefined>(left.map((dn) => [dn, undefined]));
  const work = async () => {
    for (let dn = left.shift(); dn !== undefined; dn = left.shift())
      reports.set(dn, await reportInDomain(Dn.parse(dn), { ...parts, settings }, call));
  };
  await Promise.all(Array.from({ length: width }, work));
  return new Map([...reports].flatMap(([dn, report]) => (report ? [[dn, report] as const] : [])));
}

async function usersOf(base: Dn, wanted: Filter | undefined, call: ReportView): Promise<readonly Entry[]> {
  const { schema, limits } = call.config;
  const { accountSchema, vendor } = await call.server.capabilities(base);
  const users = (accountSchema ? activeFilter : userFilter)(schema, vendor);
  const filter = wanted ? and(users, wanted) : users;
  const search = { base, scope: 'sub', filter, attributes: ['1.1'], limit: limits.search_entries } as const;
  try {
    return await call.directory.search(search);
  } catch (error) {
    throw isReason(error, 'not_found') ? missingContainer(base) : error;
  }
}

/** Undefined: it has gone meanwhile. */
async function reportInDomain(
  dn: Dn,
  { settings, ...parts }: ReportParts & Pick<WantedReports, 'settings'>,
  call: ReportView,
): Promise<UserReport | undefined> {
  try {
    const report = await reportOf(dn, parts, call);
    return settings ? { ...report, settings: await settingsInForce(dn, settings, call) } : report;
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}
