#!/usr/bin/env node
import { processSurroundings, runServer } from '@watchword/core/start';
import { managerCommand } from './options.ts';

process.exitCode = await runServer(managerCommand, processSurroundings());
