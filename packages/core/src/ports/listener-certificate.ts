/** The certificate that a listener of this process presents. */
export interface ListenerCertificate {
  /** The section of the listener in the configuration: `manager` or `ws`. */
  readonly listener: string;
  /** The subject, or the names where the subject is empty. */
  readonly subject: string;
  /** SHA-256 of the certificate, in hexadecimal. */
  readonly digest: string;
  /** Milliseconds since 1970, as {@link end}. */
  readonly begin: number;
  readonly end: number;
  /** Whether the server renews it; else people replace its files. */
  readonly isRenewed: boolean;
}

/** The days before the end of a certificate at which people are warned. */
const warningDays = [1, 7, 30] as const;

/**
 * Returns the fewest days of 30, 7 and 1 that cover the rest of a lifetime; undefined: no warning is due. A certificate that the server
 * renews is warned of later than its renewal is due.
 */
export function warningDaysOf(
  { begin, end, isRenewed }: Pick<ListenerCertificate, 'begin' | 'end' | 'isRenewed'>,
  now: number,
): number | undefined {
  const days = warningDays.find((most) => end - now <= most * 86_400_000);
  if (days === undefined || !isRenewed) return days;
  return days < 30 && days * 86_400_000 < (end - begin) / 3 ? days : undefined;
}
