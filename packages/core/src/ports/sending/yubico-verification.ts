/** Whoever knows the secrets of Yubikeys and judges what they type: Yubico's cloud, or another server of its protocol. */

/**
 * `good`: it was typed by a Yubikey that the server knows, and it has been used up by asking. `replayed`: it was used before, or
 * one after it. `wrong`: it is of no Yubikey that the server knows.
 */
export type YubicoVerdict = 'good' | 'replayed' | 'wrong';

export interface YubicoVerification {
  /**
   * @param otp modhex in small letters
   * @throws ServiceError `unavailable` where no server has said so in an answer that is surely its own
   */
  verify(otp: string): Promise<YubicoVerdict>;
  close(): void;
}
