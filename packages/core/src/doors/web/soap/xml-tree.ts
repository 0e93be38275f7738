/**
 * Untrusted XML as a small tree. A document type is refused, so no entity is expanded and nothing is fetched. Names have namespaces;
 * depth, elements and attributes are bounded.
 */
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SaxesTagNS } from 'saxes';
import { ServiceError } from '../../../foundation/errors/errors.ts';

export interface XmlElement {
  readonly name: string;
  readonly namespace: string;
  readonly attributes: readonly XmlAttribute[];
  readonly children: readonly XmlElement[];
  /** The text directly in the element, with CDATA and without comments. */
  readonly text: string;
}

export interface XmlAttribute {
  readonly name: string;
  readonly namespace: string;
  readonly value: string;
}

export interface XmlLimits {
  /** Most levels. */
  readonly depth: number;
}

/** Characters that are read before others have their turn: of the dearest, some milliseconds. */
const stint = 8192;

const maxElements = 10_000;
const maxAttributes = 64;

const require = createRequire(import.meta.url);

/** Loaded with the first envelope: who only embeds the service reads none. */
export const xmlLibrary = (): typeof import('saxes') => require('saxes');

/** @throws ServiceError `parse_error` if it is not well-formed, `invalid_request` for a DTD, `too_large` */
export async function parseXml(text: string, limits: XmlLimits): Promise<XmlElement> {
  const { SaxesParser } = xmlLibrary();
  // By XML 1.0 whatever the declaration says: XML 1.1 would let control characters in.
  const parser = new SaxesParser({ xmlns: true, defaultXMLVersion: '1.0', forceXMLVersion: true });
  const tree = new Tree(limits);
  parser.on('doctype', () => malformed('a document type is not allowed'));
  parser.on('processinginstruction', () => malformed('a processing instruction is not allowed'));
  parser.on('opentagstart', () => tree.begin());
  parser.on('attribute', () => tree.countAttribute());
  parser.on('opentag', (tag) => tree.open(tag));
  parser.on('text', (part) => tree.add(part));
  parser.on('cdata', (part) => tree.add(part));
  parser.on('closetag', () => tree.close());
  try {
    for (let at = 0; at < text.length; at += stint) {
      if (at > 0) await nextTurn();
      parser.write(text.slice(at, at + stint));
    }
    parser.close();
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('parse_error', {
      detail: `the body is not well-formed XML, line ${parser.line}`,
      cause,
    });
  }
  return tree.root;
}

/** An element whose content is still coming. */
interface Growing extends XmlElement {
  readonly children: Growing[];
  text: string;
}

class Tree {
  readonly #limits: XmlLimits;
  readonly #open: Growing[] = [];
  #root: Growing | undefined;
  #elements = 0;
  #attributes = 0;

  constructor(limits: XmlLimits) {
    this.#limits = limits;
  }

  get root(): XmlElement {
    return this.#root ?? malformed('the body is empty');
  }

  /** Before the attributes of an element. */
  begin(): void {
    this.#attributes = 0;
    this.#elements += 1;
    if (this.#elements > maxElements) tooLarge(`more than ${maxElements} elements`);
    if (this.#open.length >= this.#limits.depth) tooLarge(`nested deeper than ${this.#limits.depth} levels`);
  }

  countAttribute(): void {
    this.#attributes += 1;
    if (this.#attributes > maxAttributes) tooLarge(`more than ${maxAttributes} attributes`);
  }

  open({ local, uri, attributes }: SaxesTagNS): void {
    const element: Growing = {
      name: local,
      namespace: uri,
      attributes: listed(attributes),
      children: [],
      text: '',
    };
    this.#open.at(-1)?.children.push(element);
    this.#root ??= element;
    this.#open.push(element);
  }

  add(part: string): void {
    const element = this.#open.at(-1);
    if (element) element.text += part;
  }

  close(): void {
    this.#open.pop();
  }
}

function listed(attributes: SaxesTagNS['attributes']): XmlAttribute[] {
  return Object.values(attributes).map(({ local, uri, value }) => ({ name: local, namespace: uri, value }));
}

/** SOAP 1.1 §3 forbids both. */
function malformed(detail: string): never {
  throw new ServiceError('invalid_request', { detail });
}

function tooLarge(detail: string): never {
  throw new ServiceError('too_large', { detail });
}
