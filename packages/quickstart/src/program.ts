/** The program of `npm start`: its option, its output and its end. */
import { resolve } from 'node:path';
import type { Surroundings } from '@watchword/cli';
import { ConfigError, StartError } from '@watchword/core';
import { systemClock } from '@watchword/node';
import { describeJson, describeText, quickStart } from './index.ts';

/** @throws StartError for anything but `--json` */
function wantsJson(args: readonly string[]): boolean {
  const unknown = args.find((arg) => arg !== '--json');
  if (unknown !== undefined) {
    throw new StartError(
      `npm start knows no ${unknown}; its one option is --json, as in npm start -- --json.`,
    );
  }
  return args.length > 0;
}

/** Runs until it is asked to end. @returns the exit code */
export async function runQuickStart(around: Surroundings): Promise<number> {
  try {
    await run(around);
    return 0;
  } catch (error) {
    if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
    around.printError(`watchword: ${error.message}`);
    return 1;
  }
}

async function run(around: Surroundings): Promise<void> {
  const json = wantsJson(around.arguments);
  const { asked } = around;
  const { WATCHWORD_DATA, ...environment } = around.environment;
  const data = resolve(WATCHWORD_DATA || './data'); // an empty variable is none
  const { servers, ...running } = await quickStart({
    data,
    environment,
    progress: (line) => around.printError(`${line} …`),
    warn: (line) => around.printError(`Warning: ${line}`),
    logTo: around.logTo,
  });
  const story = { ...running, data, now: systemClock.now() };
  around.print(json ? describeJson(story) : describeText(story, { colours: process.stdout.isTTY === true }));
  await asked;
  await servers.close();
}
