/** The schema of a licence (docs/guide/embedding.md#limit-it-by-a-licence). */
import type { z } from 'zod';
import { formatTimestamp, parseTimestamp } from '../foundation/text/timestamp.ts';
import type { LicenseContent } from '../ports/license.ts';
import { weaklyCached } from '../table/schema/zod.ts';

const text = weaklyCached((z) => z.string().regex(/^[^\p{C}]{1,128}$/u));

/** A moment that exists: `2026-02-30` would be read as another day. */
const moment = weaklyCached((z) =>
  z.string().refine((written) => {
    const read = parseTimestamp(written);
    return read !== undefined && Number.isFinite(read) && formatTimestamp(read) === written;
  }),
);

/** A limit, as number or text. */
const limit = weaklyCached((z) =>
  z.union([z.int().min(0).max(999_999_999), z.string().regex(/^(?:0|[1-9][0-9]{0,8})$/)]).transform(Number),
);

/** The options of a product, which are only shown: a licence never limits logins. */
const options = weaklyCached((z) => z.array(z.enum(['AUTH', 'SIGN', 'VOICE', 'BADGE'])).max(4));

const product = weaklyCached((z) =>
  z.strictObject({
    maximum_users: limit().optional(),
    maximum_hosts: limit().optional(),
    allowed_options: options().optional(),
  }),
);
const productName = weaklyCached((z) => z.string().regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/));

const licenseContent = weaklyCached((z) =>
  z.strictObject({
    type: text(),
    customer_id: text(),
    instance_id: z
      .string()
      .regex(/^[0-9A-F]{16}$/)
      .optional(),
    valid_from: moment(),
    valid_to: moment(),
    token_pool: limit().optional(),
    cache_time: limit().default(0),
    products: z
      .record(productName(), product())
      .refine((products) => Object.keys(products).length <= 64)
      .default({}),
  }),
);

/** The file of a licence: content and signature in base64. The signature covers the decoded bytes. */
const licenseFile = weaklyCached((z) => z.strictObject({ license: z.string(), signature: z.string() }));

export type LicenseFile = z.output<ReturnType<typeof licenseFile>>;

export function readLicenseFile(raw: unknown): LicenseFile | undefined {
  return licenseFile().safeParse(raw).data;
}

/** Reads the content of a licence. @returns `wrong`: the name of a missing, unknown or malformed field */
export function readLicenseContent(raw: unknown): LicenseContent | { readonly wrong: string } {
  const { data, error } = licenseContent().safeParse(raw);
  if (data) return data;
  const [issue] = error.issues;
  const path = [
    ...(issue?.path ?? []),
    ...(issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []),
  ];
  return { wrong: path.map(String).join('.').slice(0, 64) || 'content' };
}
