/** What is found when somebody looks at an installation: for `--check`, and for the start of a server. */
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';

/** An error stops the server, or has it refuse everybody; a warning concerns some, or will. */
export interface Finding {
  readonly level: 'found' | 'warning' | 'error';
  /** For people; of a problem it says what to do. Without a full stop. */
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
