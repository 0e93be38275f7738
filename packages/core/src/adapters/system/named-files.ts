/** Files that a configuration names: read when it is read, and what is wrong with them told all at once. */
import { readFileSync } from 'node:fs';
import { ConfigError, type ConfigProblem, type ServerConfig } from '../../config/config.ts';
import type { Path } from '../../config/schema-node.ts';
import { whyUnreadable } from './file.ts';

export class NamedFiles {
  readonly #problems: ConfigProblem[] = [];

  read(path: Path, file: string | undefined): string | undefined {
    if (file === undefined) return undefined;
    try {
      const text = readFileSync(file, 'utf8');
      if (text.trim() !== '') return text;
      this.#refuse(path, file, 'is empty');
    } catch (error) {
      this.#refuse(path, file, `cannot be read: ${whyUnreadable(error)}`);
    }
    return undefined;
  }

  /** Without the line break at its end. */
  readLine(path: Path, file: string | undefined): string | undefined {
    return this.read(path, file)?.replace(/\r?\n$/, '');
  }

  checked(config: ServerConfig): ServerConfig {
    if (this.#problems.length > 0) throw new ConfigError(this.#problems);
    return config;
  }

  #refuse(path: Path, file: string, message: string): void {
    this.#problems.push({
      path,
      message: `names ${file}, which ${message}`,
      cure: 'correct the path or the file',
    });
  }
}
