/** A system that logs users in, such as a VPN server: one kept-alive connection, over REST or SOAP. */
import { HttpsConnection, postRequest } from '../https-connection.mjs';

/** What differs between the two: the request, and what stands in the answer to one that is granted. */
export const doors = {
  rest: {
    request: ({ username, password, code, source }) => {
      const fields = { username, ldapPassword: password, otpPassword: code, client: 'vpn', source };
      return postRequest('/otp/json/otpNormalLogin/', {}, JSON.stringify(fields));
    },
    granted: '"code":1',
  },
  soap: {
    request: (login) => postRequest('/otp/', { 'content-type': 'text/xml; charset=utf-8' }, envelope(login)),
    granted: '<code>1</code>',
  },
};

/** As PHP's SoapClient writes it, without the types. */
const envelope = ({ username, password, code, source }) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/" xmlns:ns1="urn:otp"><SOAP-ENV:Body><ns1:otpNormalLogin><username>${username}</username><ldapPassword>${password}</ldapPassword><otpPassword>${code}</otpPassword><client>vpn</client><source>${source}</source></ns1:otpNormalLogin></SOAP-ENV:Body></SOAP-ENV:Envelope>
`;

/**
 * @param server {port, ca, codes}; those who log in there share its codes
 * @param from where users come from: `home` or `elsewhere`
 */
export async function openLoginClient({ port, ca, codes }, { request, granted }, from) {
  const connection = await HttpsConnection.open({ port, ca });
  return {
    call: async () => {
      const login = codes.next(from);
      const { body } = await connection.send(request(login));
      if (!body.includes(granted)) throw new Error(`${login.username} was refused: ${body}`);
    },
    close: () => connection.close(),
  };
}
