/** Types of values of several sections. */

import { isTimestamp } from '../../foundation/text/timestamp.ts';
import { weaklyCached, zod } from '../../table/schema/zod.ts';
import { isFullDn, isHostOrNetwork, isNetwork, isWebAddress } from '../values.ts';

/** Makes the description and group of a setting, for the reference and the JSON Schema. */
export const inGroup = (group: string) => (description: string) => ({ description, group });

export const dn = weaklyCached((z) =>
  z.string().refine(isFullDn, {
    error: 'is not a DN',
    params: { cure: 'write a full DN, as in "ou=People,dc=example,dc=com"' },
  }),
);

export const client = weaklyCached((z) =>
  z.string().refine(isHostOrNetwork, {
    error: 'is not a host name, address or network',
    params: { cure: 'write for example "admin.example.com", "192.168.1.5", "10.0.0.0/8" or "2001:db8::/32"' },
  }),
);

export const file = weaklyCached((z) => z.string().min(1));

/** A secret on one line: a tab or line break is a mistake, as no form or protocol accepts them. */
export const secret = weaklyCached((z) =>
  z
    .string()
    .min(1)
    .regex(/^\P{Cc}*$/u, 'holds a control character or a line break, which no password has'),
);

export const word = weaklyCached((z) =>
  z
    .string()
    .regex(
      /^[A-Za-z][A-Za-z0-9]{0,31}$/,
      'is not a word of 1 to 32 letters and digits that begins with a letter',
    ),
);

export const attribute = weaklyCached((z) =>
  z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,127}$/, 'is not the name of an attribute or class'),
);

export const origin = weaklyCached((z) =>
  z
    .string()
    .refine(isWebAddress, {
      error: 'is not an https URL of one host without a path',
      params: { cure: 'write for example "https://login.example.com" or "https://login.example.com:8443"' },
    })
    .transform((text) => new URL(text).origin),
);

export const webAddress = weaklyCached(() => origin().optional());

export const attributes = (...names: readonly string[]) =>
  zod()
    .array(attribute())
    .default([...names]);

export const whole = (least: number, most: number, preset: number) =>
  zod().int().min(least).max(most).default(preset);

export const domainName = weaklyCached((z) =>
  z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/, 'is not a name of 1 to 64 letters, digits, ".", "_" and "-"'),
);

export const network = weaklyCached((z) =>
  z.string().refine(isNetwork, {
    error: 'is not an address or network',
    params: { cure: 'write for example "192.168.1.5", "10.0.0.0/8" or "2001:db8::/32"' },
  }),
);

/** A moment in UTC, in the format of all interfaces. */
export const moment = weaklyCached((z) =>
  z.string().refine(isTimestamp, {
    error: 'is not an existing date and time of the form YYYY-MM-DD HH:MM:SS',
    params: { cure: 'write a moment in UTC, for example "2027-01-31 00:00:00"' },
  }),
);
