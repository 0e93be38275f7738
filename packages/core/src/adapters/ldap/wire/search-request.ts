/**
 * The one way in which a search is asked for, RFC 4511 §4.5.1. The assertion values of its filter are bytes from end to end,
 * never text to parse.
 */
import {
  type BerWriter,
  type PagedResultsControl,
  SearchFilter,
  type SearchFilterValues,
  SearchRequest,
  Filter as WireFilter,
} from 'ldapts';
import type { SearchRequest as Search } from '../../../directory/directory.ts';
import type { Filter } from '../../../text/filter.ts';
import { formatFilter } from '../../../text/filter-text.ts';
import { type AttributeValue, bytesOf } from '../../../text/value.ts';
import type { Connection } from '../connection/connection.ts';
import { wireType } from './wire-names.ts';

interface Asked extends Pick<Search, 'scope' | 'filter'> {
  /** A DN as the server wants it. */
  readonly base: string;
  /** Names as the server wants them. */
  readonly attributes: readonly string[];
  /** Left out: the server's own limit. */
  readonly sizeLimit?: number | undefined;
  readonly page?: PagedResultsControl | undefined;
}

/** Aliases are not followed, and the server may take as long as the connection waits. */
export function searchRequest({ timeout }: Connection, asked: Asked): SearchRequest {
  const { base, scope, filter, attributes, sizeLimit = 0, page } = asked;
  return new SearchRequest({
    messageId: 0,
    baseDN: base,
    scope,
    derefAliases: 'never',
    timeLimit: Math.ceil(timeout / 1000),
    sizeLimit,
    filter: wireFilter(filter),
    attributes: [...attributes],
    ...(page && { controls: [page] }),
  });
}

const types = {
  and: SearchFilter.and,
  or: SearchFilter.or,
  not: SearchFilter.not,
  equality: SearchFilter.equalityMatch,
  substrings: SearchFilter.substrings,
  greaterOrEqual: SearchFilter.greaterOrEqual,
  lessOrEqual: SearchFilter.lessOrEqual,
  present: SearchFilter.present,
  approx: SearchFilter.approxMatch,
  extensible: SearchFilter.extensibleMatch,
} as const satisfies Record<Filter['kind'], SearchFilterValues>;

/** A filter that ldapts can put into a search request. */
function wireFilter(filter: Filter): WireFilter {
  return new OwnFilter(filter);
}

class OwnFilter extends WireFilter {
  readonly type: SearchFilterValues;
  readonly #filter: Filter;

  constructor(filter: Filter) {
    super();
    this.type = types[filter.kind];
    this.#filter = filter;
  }

  protected override writeFilter(writer: BerWriter): void {
    writeContents(writer, this.#filter);
  }

  override toString(): string {
    return formatFilter(this.#filter);
  }
}

function writeContents(writer: BerWriter, filter: Filter): void {
  switch (filter.kind) {
    case 'and':
    case 'or':
      for (const part of filter.filters) wireFilter(part).write(writer);
      break;
    case 'not':
      wireFilter(filter.filter).write(writer);
      break;
    case 'present':
      for (const byte of Buffer.from(wireType(filter.attribute))) writer.writeByte(byte);
      break;
    case 'substrings':
      writeSubstrings(writer, filter);
      break;
    case 'extensible':
      writeExtensible(writer, filter);
      break;
    default:
      writer.writeString(wireType(filter.attribute));
      writeValue(writer, filter.value, 0x04);
  }
}

function writeSubstrings(writer: BerWriter, filter: Extract<Filter, { kind: 'substrings' }>): void {
  writer.writeString(wireType(filter.attribute));
  writer.startSequence();
  if (filter.initial !== undefined) writeValue(writer, filter.initial, 0x80);
  for (const part of filter.any) writeValue(writer, part, 0x81);
  if (filter.final !== undefined) writeValue(writer, filter.final, 0x82);
  writer.endSequence();
}

function writeExtensible(writer: BerWriter, filter: Extract<Filter, { kind: 'extensible' }>): void {
  if (filter.rule !== undefined) writer.writeString(filter.rule, 0x81);
  if (filter.attribute !== undefined) writer.writeString(wireType(filter.attribute), 0x82);
  writeValue(writer, filter.value, 0x83);
  if (filter.dnAttributes) writer.writeBoolean(true, 0x84);
}

function writeValue(writer: BerWriter, value: AttributeValue, tag: number): void {
  writer.writeBuffer(Buffer.from(bytesOf(value)), tag);
}
