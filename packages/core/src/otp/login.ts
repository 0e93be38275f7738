/** The login function, one for all doors. */
import { ServiceError } from '../errors.ts';
import type { OperationCall } from '../operation.ts';
import type { ChallengeAnswer, LoginOutcome, LoginRequest, LoginSecrets } from './login-request.ts';

/** Judges a login. @throws ServiceError `invalid_params`, `unavailable` */
export async function login(
  _request: LoginRequest & LoginSecrets,
  _call: OperationCall,
): Promise<LoginOutcome> {
  throw new ServiceError('unavailable');
}

/** Judges the answer to a challenge. @throws ServiceError `invalid_params`, `not_found`, `unavailable` */
export async function answerChallenge(_answer: ChallengeAnswer, _call: OperationCall): Promise<LoginOutcome> {
  throw new ServiceError('unavailable');
}
