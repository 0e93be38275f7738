/**
 * The directory's rules for new passwords, as far as the service may read them: the policy entry of the ppolicy overlay
 * (draft-behera-ldap-password-policy §5.2), or the password settings of Active Directory ([MS-ADTS] §3.1.1.3.1.5, [MS-ADA3]). Unreadable
 * rules are not claimed: a policy outside of entries, a checking module, a list of words.
 */

import { readExisting, texts } from '../../../directory/entry/entry.ts';
import type { BoundView } from '../../../directory/view.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type {
  Directory,
  DirectoryServer,
  Entry,
  PasswordPolicy,
} from '../../../ports/directory/directory.ts';
import { written } from '../../../table/schema/index.ts';

export interface PasswordRules {
  /** The least length in characters. */
  readonly minLength?: number;
  /** The number of earlier passwords that are refused. */
  readonly history?: number;
  /** Three kinds of small letters, capital letters, digits and others, and no name of the user. */
  readonly isComplex?: true;
  /** None of a list of common ones. */
  readonly refusesCommon?: true;
}

export interface PasswordRulesView extends BoundView {
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities'>;
}

/** Returns the rules for a user's own change. @throws ServiceError `not_found`, `unavailable` */
export async function passwordRules(
  dn: Dn,
  { directory, server }: PasswordRulesView,
): Promise<PasswordRules> {
  const { service } = server;
  await readExisting(directory, dn, ['1.1']);
  const { passwords } = await server.capabilities(dn);
  if (passwords) return rulesOf(passwords);
  const entry = await readIfShown(service, dn, named);
  const [policy] = named.flatMap((name) => (entry ? texts(entry, name) : []));
  const of = policy === undefined ? domainOf(dn) : Dn.tryParse(policy);
  const found = of && (await readIfShown(service, of, asked));
  return found ? rulesIn(found) : {};
}

const rulesOf = ({ minLength, refusesCommon }: PasswordPolicy): PasswordRules => ({
  ...(minLength > 1 && { minLength }),
  ...(refusesCommon && { refusesCommon }),
});

/** Attributes that name the policy of a user. */
const named = ['pwdpolicysubentry', 'msds-resultantpso'];

const asked = [
  ...['pwdminlength', 'pwdcheckquality', 'pwdinhistory'],
  ...['msds-minimumpasswordlength', 'msds-passwordhistorylength', 'msds-passwordcomplexityenabled'],
  ...['minpwdlength', 'pwdhistorylength', 'pwdproperties'],
];

/** Returns the entry with Active Directory's default policy; other directories have none. */
function domainOf(dn: Dn): Dn | undefined {
  for (let at: Dn | undefined = dn; at && !at.isRoot; at = at.parent)
    if (at.rdn.some(({ type }) => type.toLowerCase() === 'dc')) return at;
  return undefined;
}

/** Undefined: it is not there, or the service may not see it. */
async function readIfShown(
  service: Directory,
  dn: Dn,
  attributes: readonly string[],
): Promise<Entry | undefined> {
  try {
    return await service.read(dn, attributes);
  } catch (error) {
    if (isReason(error, 'not_found', 'permission_denied')) return undefined;
    throw error;
  }
}

/** DOMAIN_PASSWORD_COMPLEX, [MS-SAMR] §2.2.3.5. */
const complex = 1;

function rulesIn(policy: Entry): PasswordRules {
  const number = (...names: readonly string[]) =>
    Number(names.flatMap((name) => texts(policy, name))[0] ?? 0);
  // Where it checks no quality, the overlay counts no characters either.
  const isBlind = texts(policy, 'pwdminlength').length > 0 && number('pwdcheckquality') === 0;
  const minLength = isBlind ? 0 : number('pwdminlength', 'msds-minimumpasswordlength', 'minpwdlength');
  const history = number('pwdinhistory', 'msds-passwordhistorylength', 'pwdhistorylength');
  const isComplex =
    texts(policy, 'msds-passwordcomplexityenabled')[0] === 'TRUE' ||
    (number('pwdproperties') & complex) !== 0;
  return {
    ...(minLength > 0 && { minLength }),
    ...(history > 0 && { history }),
    ...(isComplex && { isComplex }),
  };
}

const whole = { type: 'integer', minimum: 1 };

export const rulesReport = () =>
  written(
    {
      type: 'object',
      properties: {
        minLength: whole,
        history: whole,
        isComplex: { const: true },
        refusesCommon: { const: true },
      },
    },
    (rules: PasswordRules) => ({ ...rules }),
  );
