/** The row of the operation table that seals a file for a calling system. */
import { refusalsOf, type ThrownRefusal } from '../../../../foundation/errors/refusal-table.ts';
import { bytesField, integerField, textField } from '../../../../table/field.ts';
import { operation } from '../../../../table/operation.ts';
import { type SealCall, sealFile } from './seal.ts';

const { refusal, refuse } = refusalsOf({ BadRequest: 'Invalid authentication request' });

type Answer =
  | ThrownRefusal
  | { readonly code: 1; readonly error: ''; readonly message: string; readonly file: Uint8Array };

export const sealingOperations = {
  otpSeal: operation({
    summary:
      'Seals a file in the name of the installation, without a user; a PDF comes back as PDF, others as CMS.',
    isForSystems: true,
    body: 2_097_152,
    request: { file: bytesField, mode: textField, client: textField, source: textField, settings: textField },
    response: { code: integerField, error: textField, message: textField, file: bytesField },
    example: { file: Buffer.from('The contract.') },
    refuse,
    run: async (request, call: SealCall): Promise<Answer> => {
      const file = await sealFile(request, call);
      return file ? { code: 1, error: '', message: 'Authentication success', file } : refusal('AuthFailed');
    },
  }),
} as const;
