/** The steps of a dry run. */

import type { Attributes, AttributeValue } from '../../../foundation/text/value.ts';
import type { Change } from '../../../ports/directory/directory.ts';

/** A change that was not made. */
export type DryRunStep = DryRunEntryStep | DryRunOtherStep;

/** An entry of the directory in a step. */
export interface DryRunEntryStep {
  readonly operation: 'add' | 'modify' | 'rename' | 'remove' | 'password';
  /** `***`: of an entry that the caller may not see. */
  readonly dn: string;
  readonly changes: readonly DryRunChange[];
  /** The name that the entry would get. */
  readonly to?: string;
}

export interface DryRunChange {
  readonly operation: Change['operation'];
  readonly attribute: string;
  /** Bytes in base64; `***` for what is secret, and for what the caller may not read. */
  readonly values: readonly string[];
}

/** `store`: of what is kept beside the directory, of the kind `family`; `send`: a message; the others: of a certificate, of caches. */
export type DryRunOtherStep =
  | {
      readonly operation: 'store';
      readonly family: string;
      readonly change: 'set' | 'remove' | 'claim' | 'count';
    }
  | { readonly operation: 'send'; readonly way: 'mail' | 'sms' | 'push' }
  | { readonly operation: 'certificate'; readonly subject: string }
  | { readonly operation: 'revoke'; readonly serial: string }
  | { readonly operation: 'forget' };

/** A step with its values, before it is shown. */
export type Step =
  | (Omit<DryRunEntryStep, 'changes'> & { readonly changes: readonly Change[] })
  | DryRunOtherStep;

/** The effect of the call is unknown without running it. */
class UnknownEffect extends Error {}

export class Recorder {
  #steps: Step[] = [];
  #isStopped = false;

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Ends the recording, also if the error is caught: the call reports no steps. @throws UnknownEffect */
  readonly stop = (): never => {
    this.#isStopped = true;
    throw new UnknownEffect();
  };

  /** Returns the steps since the last call. @returns undefined: they are not all that would be done */
  take(): readonly Step[] | undefined {
    const [steps, isStopped] = [this.#steps, this.#isStopped];
    this.#steps = [];
    this.#isStopped = false;
    return isStopped ? undefined : steps;
  }
}

export const isOfEntry = (step: Step): step is Exclude<Step, DryRunOtherStep> => 'dn' in step;

export const changesOf = (attributes: Attributes): readonly Change[] =>
  [...attributes].map(([attribute, values]) => ({ operation: 'add', attribute, values }));

export const textOf = (value: AttributeValue): string =>
  typeof value === 'string' ? value : Buffer.from(value).toString('base64');
