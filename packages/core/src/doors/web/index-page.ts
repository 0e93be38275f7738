/** The page at the address of the web services. */
import { version } from '../../foundation/version.ts';
import type { OperationTable } from './operations.ts';

/** @param address `https://host:port` */
export function indexPage({ services }: OperationTable, address: string): string {
  const listed = services.map(
    ({ word, operations }) => `
${word}
  SOAP  ${address}/${word}/
  WSDL  ${address}/${word}?wsdl
  REST  ${address}/${word}/json/<operation>/
        ${operations.map(({ name }) => name).join(', ')}
`,
  );
  return `Watchword web services ${version}\n${listed.join('')}`;
}
