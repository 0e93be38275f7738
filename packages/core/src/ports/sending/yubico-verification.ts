/**
 * The verdict of a verification server. `good`: from a known Yubikey, and now used up. `replayed`: this output, or a later one, was used
 * before. `wrong`: from no known Yubikey.
 */
export type YubicoVerdict = 'good' | 'replayed' | 'wrong';

/** A server that knows the secrets of Yubikeys: Yubico's cloud, or another server with its protocol. */
export interface YubicoVerification {
  /**
   * Verifies an output.
   * @param otp modhex in lower case
   * @throws ServiceError `unavailable` where no server has given an authentic answer
   */
  verify(otp: string): Promise<YubicoVerdict>;
  close(): void;
}
