/** What files may be that are confirmed, signed or sealed. */
import { ServiceError } from '../../errors/errors.ts';

/** Least and most, in bytes. */
const [least, most] = [5, 1_048_576];

/** @throws ServiceError `invalid_params` */
export function assertFile(file: Uint8Array | undefined): asserts file is Uint8Array {
  if (!file) throw wrong('Missing parameter file');
  if (file.length < least || file.length > most)
    throw wrong(`Parameter file is not ${least} to ${most} bytes`);
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });
