/** The WSDL 1.1 of a web service, style rpc, use literal, out of the operation table. */

import { escapeXml } from '../../foundation/text/xml.ts';
import type { FieldType } from '../../table/field.ts';
import type { Fields } from '../../table/operation.ts';
import type { NamedOperation, WebService } from './operations.ts';
import { mapNamespace, schemaNamespace } from './soap/namespaces.ts';

/** @param location the URL that SOAP requests are sent to */
export function wsdl(service: WebService, location: string): string {
  const { word, namespace, operations } = service;
  return `<?xml version="1.0" encoding="UTF-8"?>
<definitions name="${word}" targetNamespace="${namespace}" xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:tns="${namespace}" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xsd="${schemaNamespace}"${hasMaps(service) ? ` xmlns:apache="${mapNamespace}"` : ''}>
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

/** Lists and objects are types of their own; XML Schema has the others. */
function types(service: WebService): string {
  const schemas = [
    ...(hasMaps(service) ? [mapSchema] : []),
    ...(has(service, ['strings', 'maps']) ? [ownSchema(service)] : []),
  ];
  return schemas.length === 0 ? '' : `  <types>\n${schemas.join('')}  </types>\n`;
}

const has = ({ operations }: WebService, types: readonly FieldType[]): boolean =>
  operations.some(({ operation: { request, response } }) =>
    [request, response].some((fields) => Object.values(fields).some(({ type }) => types.includes(type))),
  );

const hasMaps = (service: WebService): boolean => has(service, ['map', 'maps']);

function ownSchema(service: WebService): string {
  const lists = [
    ...(has(service, ['strings']) ? [list('Strings', 'name="String" type="xsd:string"')] : []),
    ...(has(service, ['maps']) ? [list('Maps', 'ref="apache:Map"')] : []),
  ];
  const imports = hasMaps(service) ? `      <xsd:import namespace="${mapNamespace}"/>\n` : '';
  return `    <xsd:schema targetNamespace="${service.namespace}">\n${imports}${lists.join('')}    </xsd:schema>\n`;
}

const list = (name: string, items: string): string => `      <xsd:complexType name="${name}">
        <xsd:sequence>
          <xsd:element ${items} minOccurs="0" maxOccurs="unbounded"/>
        </xsd:sequence>
      </xsd:complexType>
`;

const mapSchema = `    <xsd:schema targetNamespace="${mapNamespace}">
      <xsd:complexType name="Map">
        <xsd:sequence>
          <xsd:element name="item" minOccurs="0" maxOccurs="unbounded">
            <xsd:complexType>
              <xsd:sequence>
                <xsd:element name="key" type="xsd:string"/>
                <xsd:element name="value" type="xsd:anyType"/>
              </xsd:sequence>
            </xsd:complexType>
          </xsd:element>
        </xsd:sequence>
      </xsd:complexType>
      <xsd:element name="Map" type="apache:Map"/>
    </xsd:schema>
`;

function messages({ name, operation }: NamedOperation): string {
  return message(`${name}Request`, operation.request) + message(`${name}Response`, operation.response);
}

function message(name: string, fields: Fields): string {
  const parts = Object.entries(fields).map(
    ([part, { type }]) => `    <part name="${part}" type="${typeName(type)}"/>\n`,
  );
  return `  <message name="${name}">\n${parts.join('')}  </message>\n`;
}

const ownTypes: Partial<Record<FieldType, string>> = {
  strings: 'tns:Strings',
  map: 'apache:Map',
  maps: 'tns:Maps',
};

const typeName = (type: FieldType): string => ownTypes[type] ?? `xsd:${type}`;

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
