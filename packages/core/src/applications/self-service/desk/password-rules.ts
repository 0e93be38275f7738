/**
 * The directory's rules for new passwords, which the self-service portal shows before a user changes a password. They are read from the
 * policy entry of the ppolicy overlay (draft-behera-ldap-password-policy §5.2), or from the password settings of Active Directory
 * ([MS-ADTS] §3.1.1.3.1.5, [MS-ADA3]). Rules that cannot be read over LDAP are not reported: a default policy in the configuration of the
 * server, a checking module, a word list.
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
  /** The minimum length in characters. */
  readonly minLength?: number;
  /** The number of earlier passwords that are refused. */
  readonly history?: number;
  /** Characters of three classes (lower case, upper case, digits, others) are required, and the user name is not allowed. */
  readonly isComplex?: true;
  /** Common passwords are refused. */
  readonly refusesCommon?: true;
}

export interface PasswordRulesView extends BoundView {
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities'>;
}

/** Reads the rules for the change of a user's own password. @throws ServiceError `not_found`, `unavailable` */
export async function passwordRules(
  dn: Dn,
  { directory, server }: PasswordRulesView,
): Promise<PasswordRules> {
  const { service } = server;
  await readExisting(directory, dn, ['1.1']);
  const { passwords } = await server.capabilities(dn);
  if (passwords) return rulesFromCapability(passwords);
  const entry = await readIfVisible(service, dn, policyAttributes);
  const [policy] = policyAttributes.flatMap((name) => (entry ? texts(entry, name) : []));
  const policyDn = policy === undefined ? domainDn(dn) : Dn.tryParse(policy);
  const policyEntry = policyDn && (await readIfVisible(service, policyDn, ruleAttributes));
  return policyEntry ? rulesFromPolicyEntry(policyEntry) : {};
}

const rulesFromCapability = ({ minLength, refusesCommon }: PasswordPolicy): PasswordRules => ({
  ...(minLength > 1 && { minLength }),
  ...(refusesCommon && { refusesCommon }),
});

/** Attributes of a user whose value is the DN of the policy. */
const policyAttributes = ['pwdpolicysubentry', 'msds-resultantpso'];

/** Attributes of the policy entry: of ppolicy, of a password settings object, and of the domain. */
const ruleAttributes = [
  ...['pwdminlength', 'pwdcheckquality', 'pwdinhistory'],
  ...['msds-minimumpasswordlength', 'msds-passwordhistorylength', 'msds-passwordcomplexityenabled'],
  ...['minpwdlength', 'pwdhistorylength', 'pwdproperties'],
];

/** Returns the DN of the domain, whose entry has the default policy of Active Directory; undefined for a DN without `dc`. */
function domainDn(dn: Dn): Dn | undefined {
  for (let at: Dn | undefined = dn; at && !at.isRoot; at = at.parent)
    if (at.rdn.some(({ type }) => type.toLowerCase() === 'dc')) return at;
  return undefined;
}

/** Reads an entry; undefined if it does not exist, or the service may not read it. */
async function readIfVisible(
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

function rulesFromPolicyEntry(policy: Entry): PasswordRules {
  const number = (...names: readonly string[]) =>
    Number(names.flatMap((name) => texts(policy, name))[0] ?? 0);
  // The overlay checks the length only if it checks the quality.
  const ignoresLength = texts(policy, 'pwdminlength').length > 0 && number('pwdcheckquality') === 0;
  const minLength = ignoresLength ? 0 : number('pwdminlength', 'msds-minimumpasswordlength', 'minpwdlength');
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

const positiveInteger = { type: 'integer', minimum: 1 };

export const rulesReport = () =>
  written(
    {
      type: 'object',
      properties: {
        minLength: positiveInteger,
        history: positiveInteger,
        isComplex: { const: true },
        refusesCommon: { const: true },
      },
    },
    (rules: PasswordRules) => ({ ...rules }),
  );
