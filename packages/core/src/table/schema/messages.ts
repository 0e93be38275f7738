/** Parameters of messages: texts and attachments. */
import { ServiceError } from '../../foundation/errors/errors.ts';
import { decodeBase64 } from './base64.ts';
import { type Param, param, wireText } from './parameter.ts';

/** A text for people, which the audit leaves out. */
export const unauditedText = (): Param<string, string> =>
  param({
    kind: 'String',
    title: 'text',
    shape: wireText,
    convert: (value) => value,
    audit: () => undefined,
  });

/** Attachments of a mail. The audit has their names only. */
export const attachments = (): Param<
  readonly { readonly name: string; readonly data: string }[],
  readonly { readonly name: string; readonly data: Uint8Array }[]
> =>
  param({
    kind: 'Array',
    title: 'list of `{name, data}`, `data` in base64',
    shape: (z) => z.array(z.object({ name: z.string(), data: z.string() })).max(mostAttachments),
    convert: (files, parameter) =>
      files.map(({ name, data }) => {
        if (!/^[^\p{Cc}/\\]{1,200}$/u.test(name))
          throw new ServiceError('invalid_params', {
            detail: `Parameter ${parameter} has a name that is none of a file`,
          });
        return { name, data: decodeBase64(data, parameter) };
      }),
    audit: (files) => files.map(({ name }) => name).join(' '),
  });

const mostAttachments = 100;
