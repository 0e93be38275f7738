/** What a licence allows (docs/guide/embedding.md#limit-it-by-a-licence), as far as it was signed and can be understood: nothing else is one. */

/** Limits of a product; a limit that is left out is none. */
export interface LicensedProduct {
  readonly maximum_users?: number | undefined;
  readonly maximum_hosts?: number | undefined;
  readonly allowed_options?: readonly ('AUTH' | 'SIGN' | 'VOICE' | 'BADGE')[] | undefined;
}

/** What a licence says. Times are UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface LicenseContent {
  readonly type: string;
  readonly customer_id: string;
  /** 16 hexadecimal digits; left out: any installation's. */
  readonly instance_id?: string | undefined;
  readonly valid_from: string;
  readonly valid_to: string;
  readonly token_pool?: number | undefined;
  readonly cache_time: number;
  readonly products: Readonly<Record<string, LicensedProduct>>;
}

/** A licence whose signature was verified. */
export interface License {
  readonly content: LicenseContent;
  /** What the licence is called where something is said about it. */
  readonly name: string;
  /** How many users may be active: the least that a product allows; undefined: it limits none. */
  readonly maximumUsers: number | undefined;
  /** Why it allows nothing at this time, to go behind `the licence`; undefined: it is valid. */
  lapse(now: number): string | undefined;
}
