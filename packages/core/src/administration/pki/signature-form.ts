/** Parses the form in which a caller wants a file signed: `mode`, and in `settings` `SignScope` and `CaDESMode`. */
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { SignatureForm } from '../../ports/authority.ts';

export interface WantedForm {
  /** `auto` or empty: as the file is. */
  readonly mode?: string | undefined;
  /** `Name=Value,…` */
  readonly settings?: string | undefined;
}

/** @throws ServiceError `invalid_params`: it is not made here, or not of that file */
export function signatureForm(file: Uint8Array, { mode = '', settings = '' }: WantedForm): SignatureForm {
  const wanted = new Map(settings.split(',').map(pairIn));
  assertLocal(wanted.get('signscope') ?? 'local');
  const cms = cmsForm(wanted.get('cadesmode') ?? 'enveloping');
  switch (mode.toLowerCase()) {
    case '':
    case 'auto':
      return isPdf(file) && cms === 'enveloping' ? 'pdf' : cms;
    case 'cades':
      return cms;
    case 'pades':
      if (!isPdf(file)) throw wrong('Parameter mode is PADES, and the file is no PDF');
      return 'pdf';
    case 'xades':
      throw wrong('Parameter mode is XADES, and no signatures in XML are made here: ask for CADES');
    default:
      throw wrong('Parameter mode is none of auto, CADES and PADES');
  }
}

const pairIn = (text: string): readonly [string, string] => {
  const [name = '', value = ''] = text.split('=', 2).map((part) => part.trim().toLowerCase());
  return [name, value];
};

/** Another authority than ours, and a card of the user, are not asked. */
function assertLocal(scope: string): void {
  if (scope !== 'local') throw wrong('Parameter settings has a SignScope that is not Local');
}

function cmsForm(mode: string): SignatureForm {
  if (mode === 'detached' || mode === 'enveloping') return mode;
  throw wrong('Parameter settings has a CaDESMode that is none of Detached and Enveloping');
}

const isPdf = (file: Uint8Array): boolean => Buffer.from(file.subarray(0, 5)).toString('latin1') === '%PDF-';

/** The names of these settings: others are the policy's. */
export const formSettings: readonly string[] = ['signscope', 'cadesmode'];

const wrong = (detail: string): ServiceError => new ServiceError('invalid_params', { detail });
