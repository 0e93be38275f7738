/** Opens as many TLS connections as a message asks for at once, and says how long it took until the last one was answered. */
import { connect } from 'node:tls';
import { postRequest } from '../https-connection.mjs';

const sessions = [];
let count = 0;

const requestOf = {
  nothing: () => undefined,
  health: () => Buffer.from('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n'),
  login: () => {
    count += 1;
    const source = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`;
    const fields = { username: `nobody${process.pid}-${count}`, ldapPassword: 'wrong', source };
    return postRequest('/otp/json/otpNormalLogin/', {}, JSON.stringify(fields));
  },
};

function open({ port, ca, ask, resumes }, index) {
  return new Promise((resolve) => {
    const session = resumes ? sessions[index] : undefined;
    const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost', session });
    socket.once('session', (ticket) => {
      sessions[index] = ticket;
    });
    socket.once('error', ({ code }) => resolve({ socket, at: performance.now(), status: code }));
    socket.once('secureConnect', () => {
      const request = requestOf[ask]();
      if (request) socket.write(request);
      else resolve({ socket, at: performance.now() });
    });
    socket.once('data', (chunk) => {
      const [, status] = chunk.toString('latin1').split(' ', 2);
      resolve({ socket, at: performance.now(), status, reused: socket.isSessionReused() });
    });
  });
}

process.on('message', async (message) => {
  const begun = performance.now();
  const opened = await Promise.all(
    Array.from({ length: message.atOnce }, (_, index) => open(message, index)),
  );
  const last = Math.max(...opened.map(({ at }) => at));
  for (const { socket } of opened) socket.destroy();
  const busy = opened.filter(({ status }) => status === '503').length;
  const lost = opened.filter(({ status }) => status?.startsWith('E')).length;
  const reused = opened.filter((one) => one.reused).length;
  process.send({ milliseconds: last - begun, reused, busy, lost });
});
process.once('disconnect', () => process.exit());
