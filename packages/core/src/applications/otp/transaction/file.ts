/** Checks of files in transactions: their size, and the settings of a signature over them. */

import { formSettings } from '../../../administration/pki/signature-form.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';

/** Sizes in bytes; a file in a picture has another minimum. */
const [usualLeast, most] = [5, 1_048_576];

/** @throws ServiceError `invalid_params` */
export function assertFile(
  file: Uint8Array | undefined,
  { isPictured = false } = {},
): asserts file is Uint8Array {
  if (!file) throw wrong('Missing parameter file');
  const least = isPictured ? usualLeast + 1 : usualLeast;
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
