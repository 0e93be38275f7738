#!/usr/bin/env node
import { processSurroundings, runServer } from '@watchword/core/start';
import { webServiceCommand } from './options.ts';

process.exitCode = await runServer(webServiceCommand, processSurroundings());
