/**
 * A refusal to start. The operator sees its message only, without a stack: whole sentences that name what is wrong and the cure.
 */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
