/** What files may be that are confirmed, signed or sealed. */
import { ServiceError } from '../../errors/errors.ts';
import { formSettings } from '../../pki/signature-form.ts';

/** Least and most, in bytes. */
const [least, most] = [5, 1_048_576];

/** @throws ServiceError `invalid_params` */
export function assertFile(file: Uint8Array | undefined): asserts file is Uint8Array {
  if (!file) throw wrong('Missing parameter file');
  if (file.length < least || file.length > most)
    throw wrong(`Parameter file is not ${least} to ${most} bytes`);
}

/** Nobody logs in by it: other settings would be ignored. @throws ServiceError `invalid_params` */
export function assertFormSettings(settings = ''): void {
  const names = settings.split(',').map((pair) => pair.split('=', 1)[0]?.trim().toLowerCase() ?? '');
  if (names.some((name) => name !== '' && !formSettings.includes(name)))
    throw wrong('Parameter settings is more than SignScope and CaDESMode');
}

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });
