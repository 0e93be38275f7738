/** The rows of the method table for voice prints, which are refused. They exist for clients that call them. */
import { notConfigured } from '../../foundation/errors/errors.ts';
import { method } from '../../table/method.ts';
import { base64, ignoredParam, optional, success, text } from '../../table/schema/index.ts';

export const voiceMethods = {
  Voice_Register: method({
    summary:
      'Would register how a user sounds (`sample`: WAV, 16 kHz, mono). Nothing here judges voices, so it is refused as `unavailable`: a print that logs nobody in must not look as if it did.',
    on: 'nothing',
    params: { sample: ignoredParam(base64()), model: ignoredParam(optional(text())) },
    example: { sample: 'UklGRiQAAABXQVZF' },
    result: success(),
    permission: 'write',
    run: (): void => {
      throw notConfigured(
        'Nothing in this version judges voices: register a token, a list or a FIDO2 device instead',
      );
    },
  }),
} as const;
