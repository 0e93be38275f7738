/** Writes the descriptions of an installation as files, without starting its servers. */
import type { ServedApplications } from '../../applications/context/call.ts';
import { configJsonSchema, type ServerConfig } from '../../config/config.ts';
import { Names } from '../../table/dialect.ts';
import { vocabularyOf } from '../manager/vocabulary.ts';
import { OperationTable } from '../web/operations.ts';
import { wsdl } from '../web/wsdl.ts';
import { Descriptions } from './descriptions.ts';

/** Paths → texts: those that are served, the WSDLs, and the JSON Schema of the configuration. */
export function descriptionsOf(
  config: ServerConfig,
  applications: ServedApplications,
): ReadonlyMap<string, string> {
  const names = new Names(config.names);
  const descriptions = new Descriptions({ applications, names, config });
  const { services } = new OperationTable(applications, names);
  const schema = configJsonSchema(vocabularyOf(applications));
  return new Map([
    ...descriptions.paths.map((path) => [path, descriptions.file(path) ?? ''] as const),
    ...services.map(
      (service) => [`${service.word}.wsdl`, wsdl(service, `${config.ws_url}/${service.word}/`)] as const,
    ),
    ['config.schema.json', `${JSON.stringify(schema, null, 2)}\n`],
  ]);
}
