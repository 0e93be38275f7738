/** The page of docs/reference on errors. */
import { errorTable, reasons } from '../../foundation/errors/errors.ts';
import { restStatus } from '../web/rest.ts';
import { code, page, table } from './markdown.ts';

export function errorPage(): string {
  const rows = reasons.map((reason) => {
    const { standard, deployed, http, soap, message } = errorTable[reason];
    return [
      code(reason),
      message,
      code(String(standard)),
      code(String(deployed)),
      String(http),
      String(restStatus(reason)),
      soap,
    ];
  });
  const header = ['Reason', '`message`', 'Standard', 'Deployed', 'HTTP', 'REST', 'SOAP fault'];
  return page('Errors', 'the error table', intro, table(header, rows));
}

const intro = `The error object of a JSON-RPC response has \`code\`, \`message\`, \`reason\` and, where there are particulars,
\`data\`. Decide by \`reason\`: it is the same on every interface and in both dialects, and it does not change.
\`code\` depends on the dialect. The HTTP status is that of the standard dialect; the deployed one answers 200,
and 401 only to a request that brings no login at all. \`REST\` is the HTTP status of a request to a web service that
reaches no operation; what an operation itself answers is always 200.`;
