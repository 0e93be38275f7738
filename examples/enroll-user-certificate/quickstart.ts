/** `quickstart.json` of `npm start`: where everything is, and the administrator that enrols others. */
import { readFile } from 'node:fs/promises';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';

export interface QuickStart {
  readonly manager_url: string;
  readonly ws_url: string;
  /** Path of the certificate of the authority that all certificates here are from. */
  readonly ca: string;
  readonly admin: { readonly username: string; readonly password: string };
}

export async function readQuickStart(file: string): Promise<QuickStart> {
  const facts = await readFacts(file);
  if (facts.admin.password !== undefined) return facts;
  throw new Error(
    `${file} has no password of the administrator, who has changed it; write it there (admin.password).`,
  );
}

async function readFacts(file: string): Promise<QuickStart> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as QuickStart;
  } catch (cause) {
    throw new Error(`${file} cannot be read; npm start makes it, in its data folder.`, { cause });
  }
}

/** Calls the Manager as the administrator. */
export async function withManager<T>(
  { manager_url: url, ca, admin }: QuickStart,
  run: (manager: Manager) => Promise<T>,
): Promise<T> {
  const { fetch, close } = nodeTransport({ ca: await readFile(ca, 'utf8') });
  try {
    return await run(createManager({ url, ...admin, fetch }));
  } finally {
    await close();
  }
}
