/** What the examples say of themselves: their commands, typed in a folder where `npm start` has run. */
import { runGuide, typeBlock } from './guide.ts';
import { runProgram } from './program.ts';
import { openStand, type Stand } from './stand.ts';

runGuide<Stand>('examples/enroll-admin-certificate/README.md', { open: openStand });

runGuide<Stand>('examples/enroll-user-certificate/README.md', { open: openStand });

/** A QR code to scan: bob's, who is to confirm with a PIN. */
const detached = `
import { readFile, writeFile } from 'node:fs/promises';
import { createManager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
const transport = nodeTransport({ ca: await readFile('data/ca.pem', 'utf8') });
const login = { username: 'admin', password: process.env.PASSWORD ?? '' };
const manager = createManager({ url: 'https://localhost:4443/manag/', ...login, fetch: transport.fetch });
const dn = await manager.Get_User_DN({ username: 'bob', domain: 'Default' });
const key = await manager.Get_Random_Bytes({ length: 20 });
const session = await manager.Otp.Mobile_Session({ timeout: 300, pincode: '4711' });
await manager.Otp.TOTP_Register({ dn, key, session });
const uri = await manager.Otp.TOTP_URI({ name: 'Example bob', key, userid: 'bob', domain: 'Default', session });
await writeFile('qr.gif', Buffer.from(await manager.Get_QRCode({ uri: String(uri), format: 'GIF' }), 'base64'));
await transport.close();
`;

runGuide<Stand>('examples/soft-token/README.md', {
  open: openStand,
  runners: {
    sh: async (block, stand) => {
      await runProgram({ ...block, text: detached }, stand);
      await stand.shell.run('export NODE_EXTRA_CA_CERTS=data/ca.pem');
      await typeBlock(block, stand);
    },
  },
});
