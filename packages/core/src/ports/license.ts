/** Licences (docs/guide/embedding.md#limit-it-by-a-licence). */

/** Limits of a product; unlimited where left out. */
export interface LicensedProduct {
  readonly maximum_users?: number | undefined;
  readonly maximum_hosts?: number | undefined;
  readonly allowed_options?: readonly ('AUTH' | 'SIGN' | 'VOICE' | 'BADGE')[] | undefined;
}

/** The content of a licence. Times are UTC, `YYYY-MM-DD HH:MM:SS`. */
export interface LicenseContent {
  readonly type: string;
  readonly customer_id: string;
  /** 16 hexadecimal digits; left out for any installation. */
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
  /** The name in messages. */
  readonly name: string;
  /** The most active users, the least of all products; undefined for no limit. */
  readonly maximumUsers: number | undefined;
  /** Returns why it is invalid at a time, as a phrase after `the licence`; undefined if it is valid. */
  lapse(now: number): string | undefined;
}
