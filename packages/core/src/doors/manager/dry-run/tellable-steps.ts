/** The steps of a dry run that a caller may see: without secrets, and with no attributes that the caller may not read. */
import type { ServiceConfig } from '../../../config/config.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { attributeType, isSecretAttribute } from '../../../foundation/text/value.ts';
import type { Change, Directory } from '../../../ports/directory/directory.ts';
import { isOfEntry, type RehearsedChange, type RehearsedStep, type Step, textOf } from './recorder.ts';

interface ToldView {
  /** The directory as the rehearsed method may see it. */
  readonly directory: Directory;
  readonly config: Pick<ServiceConfig, 'schema'>;
}

const hidden = '***';

export async function tellable(steps: readonly Step[], view: ToldView): Promise<readonly RehearsedStep[]> {
  const told: RehearsedStep[] = [];
  const sight = new Sight(view);
  for (const step of steps) told.push(isOfEntry(step) ? await sight.tell(step) : step);
  return told;
}

class Sight {
  readonly #view: ToldView;
  readonly #answers = new Map<string, boolean>();

  constructor(view: ToldView) {
    this.#view = view;
  }

  async tell(step: Extract<Step, { readonly dn: string }>): Promise<RehearsedStep> {
    if (!(await this.#sees(step.dn, '1.1'))) return { operation: step.operation, dn: hidden, changes: [] };
    const changes: RehearsedChange[] = [];
    for (const change of step.changes) changes.push(await this.#change(step.dn, change));
    return { ...step, changes };
  }

  async #change(dn: string, { operation, attribute, values }: Change): Promise<RehearsedChange> {
    const isTold = !this.#isSecret(attribute) && (await this.#sees(dn, attribute));
    return { operation, attribute, values: values.map(isTold ? textOf : () => hidden) };
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
