import { weaklyCached } from '../../table/schema/zod.ts';
import { whole } from './types.ts';

/** The settings of limits (docs/concepts/limits.md): bounds of guessing, and of the cost of a request. */
export const limits = weaklyCached((z) =>
  z.strictObject({
    body_bytes: whole(1024, 1 << 30, 1 << 20).describe(
      'Maximum size of a request body, in bytes. For the web services it is at most 65536.',
    ),
    connections_per_address: whole(1, 1_000_000, 256).describe(
      'Maximum concurrent connections to each server from one address, or one /64 of IPv6, and ten times as many from one /48. Connections of reverse_proxies and trusted_callers are not counted.',
    ),
    batch_calls: whole(1, 100_000, 1000).describe('Maximum calls in one JSON-RPC batch.'),
    depth: whole(4, 1000, 32).describe('Maximum nesting of JSON, filters and XML, in levels.'),
    search_entries: whole(1, 10_000_000, 10_000).describe('Maximum entries that one search returns.'),
    login_failure_delay_ms: whole(0, 60_000, 1000).describe(
      'Delay of the answer to a failed login, in milliseconds.',
    ),
    challenges_per_minute: whole(1, 1_000_000, 1200).describe(
      'Maximum logins a minute from one address that are asked for a code without a password.',
    ),
    judge_refused: z
      .boolean()
      .default(true)
      .describe(
        'During a lockout, still judge a password and a code in one request as a whole (combined proof). No: judge nothing.',
      ),
    directory_failures: z
      .string()
      .regex(/^[1-9]\d{0,5}\/[1-9]\d{0,4}$/, 'is not of the form failures/minutes, as in 4/30')
      .optional()
      .describe(
        'Maximum wrong passwords from unknown sources that reach the directory for one user, and the minutes in which they count, such as `4/30`. Set it below the lockout of the directory. Optional; default: unlimited.',
      ),
    user_failures: whole(1, 1_000_000, 10).describe(
      'Failures in a row that start a refusal: of one administrator at the Manager, or of one user whose secrets an administrator tries. At the web services that is MaxTries.',
    ),
    user_block_s: whole(1, 86_400, 300).describe(
      'Duration of the first such lockout, in seconds; each further one is twice as long.',
    ),
  }),
);
