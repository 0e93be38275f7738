/**
 * A refusal to start: configuration, key ring, certificate, port. Its message is all that the operator is
 * shown, one or more whole sentences without a stack, so it names what is wrong and how to cure it.
 */
export class StartError extends Error {
  override readonly name: string = 'StartError';
}
