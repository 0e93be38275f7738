import { webHandler } from '../../../../node/src/http/web.ts';
import type { Handler } from '../../foundation/http/http.ts';
import { plainText } from '../../foundation/http/response.ts';

/** Answers everything alike. */
export const fixedHandler = (body = '', status = 200): Handler =>
  webHandler(async () => plainText(status, body));
