import { weaklyCached } from '../../table/schema/zod.ts';
import { whole } from './types.ts';

/** The settings of limits (docs/concepts/limits.md): bounds of guessing, and of the cost of a request. */
export const limits = weaklyCached((z) =>
  z.strictObject({
    body_bytes: whole(1024, 1 << 30, 1 << 20).describe(
      'Longest request body, in bytes; those of the web services have at most 65536.',
    ),
    connections_per_address: whole(1, 1_000_000, 256).describe(
      'Most connections at a time from one address, or from one /64 of IPv6, to each server, and ten times as many from one /48; those of reverse_proxies and trusted_callers are not counted.',
    ),
    batch_calls: whole(1, 100_000, 1000).describe('Most calls in one JSON-RPC batch.'),
    depth: whole(4, 1000, 32).describe('Deepest nesting of JSON, filters and XML, in levels.'),
    search_entries: whole(1, 10_000_000, 10_000).describe('Most entries that one search returns.'),
    login_failure_delay_ms: whole(0, 60_000, 1000).describe(
      'A failed login is answered after this many milliseconds.',
    ),
    challenges_per_minute: whole(1, 1_000_000, 1200).describe(
      'Most logins a minute from one address that are asked for a code without having shown a password.',
    ),
    judge_refused: z
      .boolean()
      .default(true)
      .describe(
        'Where failures have someone refused, a password and a code in one request are still judged as a whole; no: nothing is.',
      ),
    directory_failures: z
      .string()
      .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,4}$/, 'is not of the form failures/minutes, as in 4/30')
      .optional()
      .describe(
        'Wrong passwords of strangers that reach the directory for one user, and the minutes in which they count, `4/30`; set it under the lockout of the directory. Left out: any number.',
      ),
    user_failures: whole(1, 1_000_000, 10).describe(
      'Failures in a row that start a refusal: of one administrator at the Manager, or of one user whose secrets an administrator tries. At the web services that is MaxTries.',
    ),
    user_block_s: whole(1, 86_400, 300).describe(
      'How long that refusal lasts the first time, in seconds; each next one twice as long.',
    ),
  }),
);
