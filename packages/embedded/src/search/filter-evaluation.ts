/**
 * Evaluation of filters, RFC 4511 §4.5.1.7: true, false or undefined. An unknown attribute or an invalid value is undefined, and so is its
 * negation.
 */
import type { AttributeValue, Filter } from '@watchword/core/foundation';
import type { EntryView, MayRead } from '../entries/entry-view.ts';
import { equalityOf, findMatchingRule, type MatchingRule } from '../schema/matching-rules.ts';
import { type AttributeType, attributeTypes, findAttribute, findClass, tagsOf } from '../schema/schema.ts';

export type Truth = boolean | undefined;
export type Test = (view: EntryView) => Truth;

const unknown: Test = () => undefined;
/** The test for a language tag, which no value has. */
const never: Test = () => false;

/** Compiles a filter to a test. An attribute that may not be read is undefined, as a search would reveal its values. */
export function compileFilter(filter: Filter, mayRead: MayRead): Test {
  switch (filter.kind) {
    case 'and':
      return all(filter.filters.map((part) => compileFilter(part, mayRead)));
    case 'or':
      return any(filter.filters.map((part) => compileFilter(part, mayRead)));
    case 'not':
      return negation(compileFilter(filter.filter, mayRead));
    case 'extensible':
      return extensible(filter, mayRead);
    default: {
      const attribute = findAttribute(filter.attribute);
      if (!attribute || !mayRead(attribute.key)) return unknown;
      return tagged(filter.attribute, item(attribute, filter));
    }
  }
}

/** Applies the options of a description. A test that is undefined without language tags is undefined with them, as in OpenLDAP. */
function tagged(description: string, test: Test): Test {
  const tags = tagsOf(description);
  if (tags === undefined) return test;
  return tags === 'language' && test !== unknown ? never : unknown;
}

type Item = Exclude<Filter, { kind: 'and' | 'or' | 'not' | 'extensible' }>;

function item(attribute: AttributeType, filter: Item): Test {
  switch (filter.kind) {
    case 'present':
      return (view) => attribute.withSubtypes.some((key) => view.values(key).length > 0);
    case 'substrings':
      return substrings(attribute, filter);
    case 'greaterOrEqual':
      return ordering(attribute, filter.value, (order) => order >= 0);
    case 'lessOrEqual':
      return ordering(attribute, filter.value, (order) => order <= 0);
    default:
      return equality(attribute, filter.value);
  }
}

/** Tests equality, also for approximate matches: RFC 4511 leaves the choice to the server. */
function equality(attribute: AttributeType, value: AttributeValue): Test {
  if (attribute.key === 'objectclass') return objectClass(String(value));
  return anyValue(attribute, equalityOf(attribute), value);
}

/** Tests for an object class or a subclass: `(objectClass=person)` finds inetOrgPersons. */
function objectClass(name: string): Test {
  const key = findClass(name)?.key;
  if (key === undefined) return unknown;
  return (view) =>
    view.values('objectclass').some((value) => findClass(String(value))?.withSuperclasses.has(key) ?? false);
}

function anyValue({ withSubtypes }: AttributeType, rule: MatchingRule, value: AttributeValue): Test {
  const wanted = rule.normalize(value);
  if (wanted === undefined) return unknown;
  return (view) => withSubtypes.some((key) => view.holds(key, rule, wanted));
}

function ordering(attribute: AttributeType, value: AttributeValue, holds: (order: number) => boolean): Test {
  const { normalize, compare } = equalityOf(attribute);
  const bound = normalize(value);
  if (bound === undefined || !attribute.hasOrdering) return unknown;
  const matches = (it: AttributeValue) => {
    const normalized = normalize(it);
    return normalized !== undefined && holds(compare(normalized, bound));
  };
  return (view) => attribute.withSubtypes.some((key) => view.values(key).some(matches));
}

function substrings(attribute: AttributeType, filter: Extract<Filter, { kind: 'substrings' }>): Test {
  if (!attribute.hasSubstrings) return unknown;
  const { normalize, fragment } = equalityOf(attribute);
  const initial = fragment(filter.initial ?? '')?.trimStart();
  const final = fragment(filter.final ?? '')?.trimEnd();
  const middle = filter.any.map((value) => fragment(value));
  if (initial === undefined || final === undefined) return unknown;
  const between = middle.filter((piece) => piece !== undefined);
  if (between.length < middle.length) return unknown;
  const matches = (value: AttributeValue) => containsPieces(normalize(value), { initial, between, final });
  return (view) => attribute.withSubtypes.some((key) => view.values(key).some(matches));
}

interface Pieces {
  readonly initial: string;
  readonly between: readonly string[];
  readonly final: string;
}

/** Returns whether a text contains the pieces in order, without overlap. */
function containsPieces(text: string | undefined, { initial, between, final }: Pieces): boolean {
  if (text === undefined || !text.startsWith(initial)) return false;
  let at = initial.length;
  for (const piece of between) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - final.length >= at && text.endsWith(final);
}

/** Tests an extensible match, RFC 4511 §4.5.1.7.7: a rule, an attribute or both; with `dnAttributes` also the values of the DN. */
function extensible(filter: Extract<Filter, { kind: 'extensible' }>, mayRead: MayRead): Test {
  const { attribute: named } = filter;
  const attribute = named === undefined ? undefined : findAttribute(named);
  const rule = filter.rule === undefined ? attribute && equalityOf(attribute) : findMatchingRule(filter.rule);
  if (!rule || (named !== undefined && !(attribute && mayRead(attribute.key)))) return unknown;
  const types = (attribute ? [attribute] : typesComparedBy(rule)).filter(({ key }) => mayRead(key));
  const tests = types.map((type) => anyValue(type, rule, filter.value));
  if (filter.dnAttributes) tests.push(inDn(types, rule, filter.value));
  return any(tests.map((test) => tagged(named ?? '', test)));
}

function typesComparedBy(rule: MatchingRule): AttributeType[] {
  return attributeTypes().filter((attribute) => equalityOf(attribute) === rule);
}

function inDn(types: readonly AttributeType[], { normalize }: MatchingRule, value: AttributeValue): Test {
  const keys = new Set(types.flatMap(({ withSubtypes }) => withSubtypes));
  const wanted = normalize(value);
  if (wanted === undefined) return unknown;
  return ({ dn }) =>
    dn.rdns
      .flat()
      .some((ava) => keys.has(findAttribute(ava.type)?.key ?? '') && normalize(ava.value) === wanted);
}

const negation =
  (test: Test): Test =>
  (view) => {
    const truth = test(view);
    return truth === undefined ? undefined : !truth;
  };

/** False if a test is false, else undefined if one is. An empty `and` is true (RFC 4526). */
const all =
  (tests: readonly Test[]): Test =>
  (view) => {
    let truth: Truth = true;
    for (const test of tests) {
      const part = test(view);
      if (part === false) return false;
      if (part === undefined) truth = undefined;
    }
    return truth;
  };

/** True if a test is true, else undefined if one is. An empty `or` is false (RFC 4526). */
const any =
  (tests: readonly Test[]): Test =>
  (view) => {
    let truth: Truth = false;
    for (const test of tests) {
      const part = test(view);
      if (part === true) return true;
      if (part === undefined) truth = undefined;
    }
    return truth;
  };
