import { ServiceError } from '../../foundation/errors/errors.ts';
import { parseTimestamp } from '../../foundation/text/timestamp.ts';
import { optional, type Param, param, wireText } from './parameter.ts';

/**
 * An optional moment in UTC, `YYYY-MM-DD HH:MM:SS`, which may be an empty text. `run` gets milliseconds since 1970.
 */
export const timestampOrNone = (): Param<string | undefined, number | undefined> =>
  optional(param({ kind: 'String', title: 'YYYY-MM-DD HH:MM:SS', shape: wireText, convert: timestampOf }));

function timestampOf(text: string, parameter: string): number | undefined {
  const read = parseTimestamp(text);
  if (!Number.isNaN(read)) return read;
  throw new ServiceError('invalid_params', {
    detail: `Parameter ${parameter} is not a time of the form YYYY-MM-DD HH:MM:SS`,
  });
}
