/**
 * A refusal to start. Its message is for the operator, without a stack: whole sentences on what is wrong and the cure.
 * @example
 * ```ts
 * import { StartError } from '@watchword/core';
 * import { readKeyRing } from '@watchword/node';
 *
 * try {
 *   readKeyRing('./missing', { mayCreate: false });
 * } catch (error) {
 *   if (!(error instanceof StartError)) throw error;
 *   console.log(error.message.startsWith('The key file ./missing is gone')); // true
 * }
 * ```
 */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
