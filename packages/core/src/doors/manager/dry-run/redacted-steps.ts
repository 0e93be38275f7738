/** The steps of a dry run that a caller may see: without secrets, and with no attributes that the caller may not read. */
import type { ServiceConfig } from '../../../config/config.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { attributeType, isSecretAttribute } from '../../../foundation/text/value.ts';
import type { Change, Directory } from '../../../ports/directory/directory.ts';
import { type DryRunChange, type DryRunStep, isOfEntry, type Step, textOf } from './recorder.ts';

interface RedactionContext {
  /** The directory as the method of the dry run may see it. */
  readonly directory: Directory;
  readonly config: Pick<ServiceConfig, 'schema'>;
}

const hidden = '***';

export async function redactSteps(
  steps: readonly Step[],
  view: RedactionContext,
): Promise<readonly DryRunStep[]> {
  const result: DryRunStep[] = [];
  const redactor = new Redactor(view);
  for (const step of steps) result.push(isOfEntry(step) ? await redactor.redact(step) : step);
  return result;
}

class Redactor {
  readonly #view: RedactionContext;
  readonly #answers = new Map<string, boolean>();

  constructor(view: RedactionContext) {
    this.#view = view;
  }

  async redact(step: Extract<Step, { readonly dn: string }>): Promise<DryRunStep> {
    if (!(await this.#sees(step.dn, '1.1'))) return { operation: step.operation, dn: hidden, changes: [] };
    const changes: DryRunChange[] = [];
    for (const change of step.changes) changes.push(await this.#change(step.dn, change));
    return { ...step, changes };
  }

  async #change(dn: string, { operation, attribute, values }: Change): Promise<DryRunChange> {
    const isVisible = !this.#isSecret(attribute) && (await this.#sees(dn, attribute));
    return { operation, attribute, values: values.map(isVisible ? textOf : () => hidden) };
  }

  #isSecret(attribute: string): boolean {
    const data = attributeType(this.#view.config.schema.data_attribute);
    return isSecretAttribute(attribute) || attributeType(attribute) === data;
  }

  /** An entry that would be gone is seen: who may see it is asked of its name. */
  async #sees(dn: string, attribute: string): Promise<boolean> {
    const key = `${attribute} ${dn}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const isSeen = await this.#view.directory.read(Dn.parse(dn), [attribute]).then(
      () => true,
      (error) => {
        if (isReason(error, 'permission_denied')) return false;
        throw error;
      },
    );
    this.#answers.set(key, isSeen);
    return isSeen;
  }
}
