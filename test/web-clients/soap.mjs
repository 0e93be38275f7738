/** strong-soap: reads {wsdl, operation, fields} on stdin, calls with the fields by name, and writes JSON. */
import { text } from 'node:stream/consumers';
import { soap } from 'strong-soap';

const call = JSON.parse(await text(process.stdin));
soap.createClient(call.wsdl, {}, (error, client) => {
  if (error) throw error;
  client[call.operation](call.fields, (fault, answer) => {
    const { faultcode, faultstring } = fault?.root?.Envelope?.Body?.Fault ?? {};
    console.log(JSON.stringify(fault ? { fault: faultcode, text: faultstring } : answer));
  });
});
