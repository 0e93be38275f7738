/** The WSDL 1.1 of a web service, style rpc, use literal, out of the operation table (webservices.md §2). */
import type { FieldType } from '../table/field.ts';
import type { Fields } from '../table/operation.ts';
import { escapeXml } from '../text/xml.ts';
import type { NamedOperation, WebService } from './operations.ts';

/** @param location the URL that SOAP requests are sent to */
export function wsdl(service: WebService, location: string): string {
  const { word, namespace, operations } = service;
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions name="${word}" targetNamespace="${namespace}" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="${namespace}" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xsd="http://www.w3.org/2001/XMLSchema">
${types(service)}${operations.map(messages).join('')}  <portType name="${word}PortType">
${operations.map(portOperation).join('')}  </portType>
  <binding name="${word}Binding" type="tns:${word}PortType">
    <soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
${operations.map((operation) => bindingOperation(operation, namespace)).join('')}  </binding>
  <service name="${word}">
    <port name="${word}Port" binding="tns:${word}Binding">
      <soap:address location="${escapeXml(location)}"/>
    </port>
  </service>
</definitions>
`;
}

/** Lists are the only type of our own; XML Schema has the others. */
function types({ namespace, operations }: WebService): string {
  const hasLists = operations.some(({ operation: { request, response } }) =>
    [request, response].some((fields) => Object.values(fields).some(({ type }) => type === 'strings')),
  );
  if (!hasLists) return '';
  return `  <types>
    <xsd:schema targetNamespace="${namespace}">
      <xsd:complexType name="Strings">
        <xsd:sequence>
          <xsd:element name="String" type="xsd:string" minOccurs="0" maxOccurs="unbounded"/>
        </xsd:sequence>
      </xsd:complexType>
    </xsd:schema>
  </types>
`;
}

function messages({ name, operation }: NamedOperation): string {
  return message(`${name}Request`, operation.request) + message(`${name}Response`, operation.response);
}

function message(name: string, fields: Fields): string {
  const parts = Object.entries(fields).map(
    ([part, { type }]) => `    <part name="${part}" type="${typeName(type)}"/>\n`,
  );
  return `  <message name="${name}">\n${parts.join('')}  </message>\n`;
}

const typeName = (type: FieldType): string => (type === 'strings' ? 'tns:Strings' : `xsd:${type}`);

function portOperation({ name, operation }: NamedOperation): string {
  return `    <operation name="${name}">
      <documentation>${escapeXml(operation.summary)}</documentation>
      <input message="tns:${name}Request"/>
      <output message="tns:${name}Response"/>
    </operation>
`;
}

function bindingOperation({ name }: NamedOperation, namespace: string): string {
  const body = `<soap:body use="literal" namespace="${namespace}"/>`;
  return `    <operation name="${name}">
      <soap:operation soapAction="${name}"/>
      <input>${body}</input>
      <output>${body}</output>
    </operation>
`;
}
