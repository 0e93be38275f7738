/**
 * A page with the messages that were written to a folder instead of a gateway, for trials in a browser or with curl. It is served on this
 * machine only, at an address that cannot be guessed.
 */
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Engines } from '@watchword/engines';
import { codeOf } from '@watchword/node';

export interface MessagesPage {
  readonly url: string;
  close(): Promise<void>;
}

/** Most messages shown, the newest first. */
const most = 20;
const title = 'Mails and SMS of this installation, which reached nobody: for trying out only.';

export async function openMessagesPage(folder: string, random: Engines['random']): Promise<MessagesPage> {
  const path = `/${Buffer.from(random.bytes(12)).toString('base64url')}/`;
  const server = createServer(({ url, headers }, response) => {
    if (url !== path) return void response.writeHead(404).end('Not found\n');
    const wantsHtml = headers.accept?.includes('text/html') === true;
    show(folder, wantsHtml, response).catch(() =>
      response.writeHead(500).end('The messages cannot be read\n'),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function show(folder: string, wantsHtml: boolean, response: ServerResponse): Promise<void> {
  const messages = await newest(folder);
  const text = messages.length === 0 ? 'There is none yet.' : messages.join(`\n${'-'.repeat(40)}\n\n`);
  const type = wantsHtml ? 'text/html' : 'text/plain';
  response.writeHead(200, {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(wantsHtml ? html(text) : `${title}\n\n${text}\n`);
}

/** @returns texts of messages */
async function newest(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const shown = names
    .filter((name) => name.endsWith('.txt'))
    .sort()
    .reverse()
    .slice(0, most);
  return Promise.all(
    shown.map(async (name) => `${name.slice(0, 20)}\n${await readFile(join(folder, name), 'utf8')}`),
  );
}

/** Makes the page, which reloads. */
const html = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Messages</title><h1>Messages</h1><p>${title}</p><pre>${escaped(text)}</pre></html>\n`;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
