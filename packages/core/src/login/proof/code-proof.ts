/** What a code proves: right ones are still to be claimed, wrong ones are blamed on what they were tried with. */
import { type TriedCode, tryCode } from '../../authenticators/code/tried-code.ts';
import { inWave } from '../../concurrency/wave.ts';
import type { AdmittedLogin } from './passwords.ts';
import { failed, type LoginProof, type UntriedCode } from './proof.ts';

/**
 * A code that stands behind a password. It is tried as soon as the question about the password is on its way: this thread
 * would do nothing else until the directory answers. Nobody learns what came of it before that.
 */
export class CodeBehind {
  readonly #code: string;
  readonly #admitted: Omit<AdmittedLogin, 'visit'>;
  #tried: TriedCode | undefined;

  constructor(code: string, admitted: Omit<AdmittedLogin, 'visit'>) {
    this.#code = code;
    this.#admitted = admitted;
    inWave(() => this.#tryEarly());
  }

  /** @throws ServiceError `internal` if its secret cannot be read */
  get tried(): TriedCode {
    this.#tried ??= tryCode(this.#code, true, this.#admitted);
    return this.#tried;
  }

  #tryEarly(): void {
    try {
      void this.tried;
    } catch {
      // Thrown again for who asks for it.
    }
  }
}

/** A wrong one is half right behind a right password, and counts as such where no password is wanted (§7, 3). */
export function proveCode(
  { code, early, concat, behind, session, passedOn = 0, otherwise = { passedOn } }: UntriedCode,
  admitted: Omit<AdmittedLogin, 'visit'>,
): LoginProof {
  const { account } = admitted;
  const tried = early ? early.tried : tryCode(code, behind, admitted);
  if (!tried.right) {
    const why = `${behind ? 'password right, ' : ''}${tried.why}`;
    return failed(why, { isHalfRight: true, wrongCodes: tried.wrong, ...otherwise });
  }
  const first = behind ? 'password' : undefined;
  return { kind: 'right', account, first, code: tried.right, session, concat, passedOn, otherwise };
}
