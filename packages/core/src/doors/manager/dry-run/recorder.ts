/** What a call would do, step by step, in a dry run. */

import type { Attributes, AttributeValue } from '../../../foundation/text/value.ts';
import type { Change } from '../../../ports/directory/directory.ts';

/** A change that was not made. */
export type RehearsedStep = RehearsedEntry | RehearsedElsewhere;

/** Of an entry of the directory. */
export interface RehearsedEntry {
  readonly operation: 'add' | 'modify' | 'rename' | 'remove' | 'password';
  /** `***`: of an entry that the caller may not see. */
  readonly dn: string;
  readonly changes: readonly RehearsedChange[];
  /** The name that the entry would get. */
  readonly to?: string;
}

export interface RehearsedChange {
  readonly operation: Change['operation'];
  readonly attribute: string;
  /** Bytes in base64; `***` for what is secret, and for what the caller may not read. */
  readonly values: readonly string[];
}

/** `store`: of what is kept beside the directory, of the kind `family`; `send`: a message; the others: of a certificate, of caches. */
export type RehearsedElsewhere =
  | {
      readonly operation: 'store';
      readonly family: string;
      readonly change: 'set' | 'remove' | 'claim' | 'count';
    }
  | { readonly operation: 'send'; readonly way: 'mail' | 'sms' | 'push' }
  | { readonly operation: 'certificate'; readonly subject: string }
  | { readonly operation: 'revoke'; readonly serial: string }
  | { readonly operation: 'forget' };

/** The same before anybody is told, with its values. */
export type Step =
  | (Omit<RehearsedEntry, 'changes'> & { readonly changes: readonly Change[] })
  | RehearsedElsewhere;

/** What a call would do cannot be told without doing it. */
class Unrehearsed extends Error {}

export class Recorder {
  #steps: Step[] = [];
  #isStopped = false;

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Whoever catches what is thrown here has not gone on: the call is not told of. @throws Unrehearsed */
  readonly stop = (): never => {
    this.#isStopped = true;
    throw new Unrehearsed();
  };

  /** What was recorded since it was last taken; undefined: that is not all that would be done. */
  take(): readonly Step[] | undefined {
    const [steps, isStopped] = [this.#steps, this.#isStopped];
    this.#steps = [];
    this.#isStopped = false;
    return isStopped ? undefined : steps;
  }
}

export const isOfEntry = (step: Step): step is Exclude<Step, RehearsedElsewhere> => 'dn' in step;

export const changesOf = (attributes: Attributes): readonly Change[] =>
  [...attributes].map(([attribute, values]) => ({ operation: 'add', attribute, values }));

export const textOf = (value: AttributeValue): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('base64');
