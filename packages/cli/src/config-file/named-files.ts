/** Files that a configuration names: read with it, with all faults reported at once. */
import { ConfigError, type ConfigProblem, type ServerConfig } from '@watchword/core';
import type { Path } from '@watchword/core/operator';
import { controlCharacter, readTextFile, trimSecret, whyUnreadable } from '@watchword/node';

export class NamedFiles {
  readonly #problems: ConfigProblem[] = [];

  /** Certificates, keys in PEM, licences. */
  read(path: Path, file: string | undefined): string | undefined {
    return this.#read(path, file, { isLenient: true });
  }

  #read(path: Path, file: string | undefined, options: { readonly isLenient: boolean }): string | undefined {
    if (file === undefined) return undefined;
    try {
      const text = readTextFile(file, options);
      if (text.trim() !== '') return text;
      this.#refuse(path, file, 'is empty');
    } catch (error) {
      this.#refuse(path, file, `cannot be read: ${whyUnreadable(error)}`);
    }
    return undefined;
  }

  /** A secret on one line. */
  readSecret(path: Path, file: string | undefined): string | undefined {
    const text = this.#read(path, file, { isLenient: false });
    if (file === undefined || text === undefined) return undefined;
    const secret = trimSecret(text);
    const wrong = controlCharacter(secret);
    if (wrong === undefined) return secret;
    this.#refuse(path, file, wrong);
    return undefined;
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
