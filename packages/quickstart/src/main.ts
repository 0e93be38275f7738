#!/usr/bin/env node
import { resolve } from 'node:path';
import { ConfigError, StartError } from '@watchword/core';
import { processSurroundings } from '@watchword/core/start';
import { curlLine } from './describe.ts';
import { describeText, quickStart } from './index.ts';

const around = processSurroundings();
const json = around.arguments.includes('--json');
const data = resolve(around.environment.WATCHWORD_DATA || './data'); // an empty variable is none
const { WATCHWORD_DATA: _, ...environment } = around.environment;

try {
  const { facts, servers } = await quickStart({
    data,
    environment,
    progress: (line) => around.printError(`${line} …`),
    logTo: around.logTo,
  });
  const story = { facts, data };
  around.print(json ? JSON.stringify({ ...facts, curl: curlLine(story) }, null, 2) : describeText(story));
  await around.asked;
  await servers.close();
} catch (error) {
  if (!(error instanceof StartError || error instanceof ConfigError)) throw error;
  around.printError(`watchword: ${error.message}`);
  process.exitCode = 1;
}
