/** All pages of docs/reference, made from the tables. `scripts/docs.mjs` writes them. */

import type { ServedApplications } from '../../applications/context/call.ts';
import { bundled } from '../../applications/index.ts';
import { configJsonSchema } from '../../config/config.ts';
import { version } from '../../foundation/version.ts';
import { Names } from '../../table/dialect.ts';
import { MethodTable } from '../manager/methods.ts';
import { vocabularyOf } from '../manager/vocabulary.ts';
import { OperationTable } from '../web/operations.ts';
import { applicationPage } from './application-page.ts';
import { errorPage } from './error-page.ts';
import { methodPage } from './method-page.ts';
import { metricPage } from './metric-page.ts';
import { openapi } from './openapi.ts';
import { openrpc } from './openrpc.ts';
import { operationPage } from './operation-page.ts';
import { settingPage } from './setting-page.ts';

/**
 * Makes the files of `docs/reference`: pages, OpenRPC, OpenAPI, and the JSON Schema of the configuration.
 * @param applications by their names. Optional; default: the bundled ones
 * @returns the text of each file by its name
 * @see docs/concepts/dialects-and-names.md#wire-dialect
 * @example
 * ```ts
 * import { reference } from '@watchword/core/describe';
 *
 * const { methods } = JSON.parse(reference().get('openrpc.json') ?? '');
 * console.log(methods.length > 100); // true
 * ```
 */
export function reference(applications: ServedApplications = bundled): ReadonlyMap<string, string> {
  const methods = new MethodTable(applications, new Names());
  const operations = new OperationTable(applications, new Names());
  const settings = configJsonSchema(vocabularyOf(applications));
  return new Map([
    ['methods.md', methodPage(methods)],
    ['operations.md', operationPage(operations)],
    ['settings.md', settingPage(settings)],
    ['application-settings.md', applicationPage(applications)],
    ['errors.md', errorPage()],
    ['metrics.md', metricPage()],
    ['config.schema.json', json(settings)],
    ['openrpc.json', json(openrpc(methods, { version, url: 'https://localhost:4443/manag/' }))],
    ['openapi.json', json(openapi(operations, { version, url: 'https://localhost:8443' }))],
  ]);
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
