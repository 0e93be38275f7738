/** Matching rules, RFC 4517 §4.2. A rule normalizes values to a text that is equal for equal values; index keys contain these texts. */
import {
  type AttributeValue,
  bytesOf,
  Dn,
  exactPiece,
  exactValue,
  foldPiece,
  foldValue,
} from '@watchword/core/foundation';
import type { AttributeType } from './schema.ts';
import { generalizedTime, withoutUid } from './text-forms.ts';

export interface MatchingRule {
  readonly name: string;
  readonly oid: string;
  /** Returns a text that equal values share; undefined for a value of another syntax. */
  normalize(value: AttributeValue): string | undefined;
  /** {@link normalize} for a piece of a substring assertion, which keeps white space at its ends. */
  fragment(value: AttributeValue): string | undefined;
  /** Compares two normalized values: negative, 0 or positive. */
  compare(a: string, b: string): number;
}

type Normalize = (text: string) => string | undefined;

const caseIgnoreList: Normalize = (text) => text.split('$').map(foldValue).join('$');
const withoutSpaces: Normalize = (text) => text.replace(/ /g, '');
const telephoneNumber: Normalize = (text) => text.replace(/[ -]/g, '').toLowerCase();
const lowerCase: Normalize = (text) => text.trim().toLowerCase();
const truth: Normalize = (text) => (/^(?:true|false)$/i.test(text) ? text.toUpperCase() : undefined);

const integer: Normalize = (text) => (/^-?[0-9]{1,1000}$/.test(text) ? BigInt(text).toString() : undefined);

const distinguishedName: Normalize = (text) => Dn.keyOf(text);

/** Compares names without the optional UID of RFC 4517 §4.2.31. */
const uniqueMember: Normalize = (text) => distinguishedName(withoutUid(text));

const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function byNumber(a: string, b: string): number {
  const difference = BigInt(a) - BigInt(b);
  return difference < 0n ? -1 : Number(difference > 0n);
}

/** Creates a rule for text; bytes match nothing. */
function textRule(
  [name, oid]: readonly [string, string],
  normalize: Normalize,
  {
    fragment = normalize,
    compare = byCodeUnit,
  }: { fragment?: Normalize; compare?: MatchingRule['compare'] } = {},
): MatchingRule {
  const onText = (apply: Normalize) => (value: AttributeValue) =>
    typeof value === 'string' ? apply(value) : undefined;
  return { name, oid, normalize: onText(normalize), fragment: onText(fragment), compare };
}

const octets = (value: AttributeValue): string => Buffer.from(bytesOf(value)).toString('latin1');

/** Compares octets; also for attributes without an equality rule, and for whole certificates. */
const octetStringMatch: MatchingRule = {
  name: 'octetStringMatch',
  oid: '2.5.13.17',
  normalize: octets,
  fragment: octets,
  compare: byCodeUnit,
};

const rules: readonly MatchingRule[] = [
  octetStringMatch,
  textRule(['caseIgnoreMatch', '2.5.13.2'], foldValue, { fragment: foldPiece }),
  textRule(['caseExactMatch', '2.5.13.5'], exactValue, { fragment: exactPiece }),
  textRule(['caseIgnoreIA5Match', '1.3.6.1.4.1.1466.109.114.2'], foldValue, { fragment: foldPiece }),
  textRule(['caseExactIA5Match', '1.3.6.1.4.1.1466.109.114.1'], exactValue, { fragment: exactPiece }),
  textRule(['caseIgnoreListMatch', '2.5.13.11'], caseIgnoreList, { fragment: foldPiece }),
  textRule(['numericStringMatch', '2.5.13.8'], withoutSpaces),
  textRule(['telephoneNumberMatch', '2.5.13.20'], telephoneNumber),
  textRule(['integerMatch', '2.5.13.14'], integer, { compare: byNumber }),
  textRule(['booleanMatch', '2.5.13.13'], truth),
  textRule(['bitStringMatch', '2.5.13.16'], exactValue),
  textRule(['distinguishedNameMatch', '2.5.13.1'], distinguishedName),
  textRule(['uniqueMemberMatch', '2.5.13.23'], uniqueMember),
  textRule(['generalizedTimeMatch', '2.5.13.27'], generalizedTime),
  textRule(['objectIdentifierMatch', '2.5.13.0'], lowerCase),
  textRule(['UUIDMatch', '1.3.6.1.1.16.2'], lowerCase),
  textRule(['presentationAddressMatch', '2.5.13.22'], foldValue),
  textRule(['protocolInformationMatch', '2.5.13.24'], foldValue),
  { ...octetStringMatch, name: 'certificateExactMatch', oid: '2.5.13.34' },
];

const byName = new Map(
  rules.flatMap((rule) => [rule.name.toLowerCase(), rule.oid].map((key) => [key, rule])),
);

/** Returns the equality rule of an attribute; octetStringMatch if the schema names none. */
export function equalityOf({ equality = '' }: Pick<AttributeType, 'equality'>): MatchingRule {
  return byName.get(equality) ?? octetStringMatch;
}

/** Finds an equality rule by name or OID. */
export function findMatchingRule(name: string): MatchingRule | undefined {
  return byName.get(name.toLowerCase());
}
