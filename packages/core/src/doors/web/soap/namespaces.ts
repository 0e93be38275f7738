/** XML namespaces that SOAP messages and their descriptions have in common. */

/** XML Schema, part 2. */
export const schemaNamespace = 'http://www.w3.org/2001/XMLSchema';

/** The namespace of the type `Map`, in which servers in the field write objects. */
export const mapNamespace = 'http://xml.apache.org/xml-soap';
