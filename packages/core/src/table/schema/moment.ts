/** Parameters that are moments. */
import { ServiceError } from '../../foundation/errors/errors.ts';
import { readMoment } from '../../foundation/text/moment.ts';
import { optional, type Param, param, wireText } from './parameter.ts';

/**
 * In UTC, `YYYY-MM-DD HH:MM:SS`, or none: an empty text is none as well. What `run` gets is milliseconds since 1970.
 */
export const momentOrNone = (): Param<string | undefined, number | undefined> =>
  optional(param({ kind: 'String', title: 'YYYY-MM-DD HH:MM:SS', shape: wireText, convert: momentOf }));

function momentOf(text: string, parameter: string): number | undefined {
  const read = readMoment(text);
  if (!Number.isNaN(read)) return read;
  throw new ServiceError('invalid_params', {
    detail: `Parameter ${parameter} is no moment, YYYY-MM-DD HH:MM:SS`,
  });
}
