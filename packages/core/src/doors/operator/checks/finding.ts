/** Findings about an installation, for `--check` and the start of a server. */
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';

/** An error stops the server, or has it refuse everybody; a warning concerns some, or will. */
export interface Finding {
  readonly level: 'found' | 'warning' | 'error';
  /** Text for people, without a full stop. A problem comes with its cure. */
  readonly text: string;
}

export const found = (text: string): Finding => ({ level: 'found', text });
export const warning = (text: string): Finding => ({ level: 'warning', text });
export const problem = (text: string): Finding => ({ level: 'error', text });

/** Looks, and says what is wrong where that cannot be done. @throws what is no {@link ServiceError} */
export async function lookOr(
  look: () => Promise<readonly Finding[]>,
  otherwise: (error: ServiceError) => Finding,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof ServiceError && !isReason(error, 'internal')) return [otherwise(error)];
    throw error;
  }
}
