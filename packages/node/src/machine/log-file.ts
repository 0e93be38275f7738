/** The log in a plain file, which an operator rotates: the file is opened again after it was moved. */

import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { StartError } from '@watchword/core/foundation';
import { codeOf, whyUnreadable } from './file.ts';
import type { LineStream } from './log.ts';

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants;

/** Appends lines to a file. A line is in the file before `write` returns. */
export class LogFile implements LineStream {
  readonly #path: string;
  readonly #otherwise: LineStream;
  #file: number;

  /** @param otherwise the output of a line that the file does not take @throws StartError if the file cannot be opened */
  constructor(path: string, otherwise: LineStream) {
    this.#path = path;
    this.#otherwise = otherwise;
    this.#file = opened(path);
  }

  write(line: string): void {
    const bytes = Buffer.from(line, 'utf8');
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    } catch {
      // A full disk must not end a server.
      this.#otherwise.write(line);
    }
  }

  /** Opens the file at its path again. @throws StartError if it cannot be opened; lines go to the file before then */
  reopen(): void {
    const before = this.#file;
    this.#file = opened(this.#path);
    closeSync(before);
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** Opens a file for its owner to write and its group to read. A pipe without a reader is refused, and not waited for. */
function opened(path: string): number {
  let file: number;
  try {
    file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o640);
  } catch (cause) {
    const why = codeOf(cause) === 'ENXIO' ? 'it is not a plain file' : whyUnreadable(cause);
    throw refusal(path, why, cause);
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw refusal(path, 'it is not a plain file');
}

const refusal = (path: string, why: string, cause?: unknown): StartError =>
  new StartError(`The log file ${path} cannot be written (${why}); see log.file.`, { cause });
