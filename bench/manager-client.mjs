/** The way through the Manager: an HTTPS connection with an administrator session that sends calls. */
import { HttpsConnection, postRequest } from './https-connection.mjs';
import { mailOf, userAt } from './operations.mjs';

const path = '/manag/';

/** Reads among the requests that a client makes beforehand and sends again and again. */
const prepared = 1_600;

/**
 * Logs in and keeps the session.
 * @param options.reads how many reads one call makes: more than 1 is a batch
 * @param options.cookie the session to use; left out: a new one
 */
export async function openManagerClient(manager, operation, { users, client, reads, cookie }) {
  const connection = await HttpsConnection.open(manager);
  const session = cookie ?? (await logIn(connection, manager));
  const requests = prepare(operation, { users, client, reads, cookie: session });
  let turn = 0;
  return {
    cookie: session,
    call: async () => {
      const { bytes, expected } = requests[turn++ % requests.length];
      const { body } = await connection.send(bytes);
      if (!expected.every((text) => body.includes(text)) || body.includes('"error"')) {
        throw new Error(`the Manager answered ${body}`);
      }
    },
    close: async () => {
      if (cookie === undefined) await logOut(connection, session);
      connection.close();
    },
  };
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'Get_Random_Bytes', params: { length: 1 } });

async function logIn(connection, { admin }) {
  const basic = Buffer.from(`${admin.username}:${admin.password}`).toString('base64');
  const { head, body } = await connection.send(postRequest(path, { authorization: `Basic ${basic}` }, ping));
  const [, cookie] = /\r\nset-cookie: (SVCMANAG=[^;]+)/i.exec(head) ?? [];
  if (cookie === undefined) throw new Error(`the Manager began no session: ${body}`);
  return cookie;
}

/** A session ends with `Connection: close` (docs/concepts/callers-and-sources.md#administrator-session). */
async function logOut(connection, cookie) {
  await connection.send(postRequest(path, { cookie, connection: 'close' }, ping));
}

function prepare(operation, { users, client, reads, cookie }) {
  return Array.from({ length: prepared / reads }, (_, call) => {
    const asked = Array.from({ length: reads }, (_, read) => userAt(call * reads + read, { users, client }));
    const calls = asked.map((user, id) => ({
      jsonrpc: '2.0',
      id,
      method: operation.method,
      params: operation.params(user),
    }));
    const body = JSON.stringify(reads === 1 ? calls[0] : calls);
    return { bytes: postRequest(path, { cookie }, body), expected: [mailOf(asked[0]), mailOf(asked.at(-1))] };
  });
}
