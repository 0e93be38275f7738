/** What a configuration may say, made of the applications that it is for. */
import type { AnyApplication } from '../application.ts';
import { later } from '../applications.ts';
import type { Vocabulary } from '../config.ts';
import { Names } from '../dialect.ts';
import { MethodTable } from './methods.ts';

/** @throws StartError on a row of a method that does not say which entry it is about */
export function vocabularyOf(applications: Readonly<Record<string, AnyApplication>>): Vocabulary {
  const words = Object.values(applications).map(({ name, service, settings, operations }) => ({
    ...{ name, service, settings },
    isServed: Object.keys(operations).length > 0,
  }));
  const taken = new Set(words.flatMap(({ name, service }) => [name, service]));
  const isToCome = (word: string) => !taken.has(word);
  return {
    applications: Object.fromEntries(words.map((one) => [one.name, one])),
    later: { names: later.names.filter(isToCome), services: later.services.filter(isToCome) },
    methods: new MethodTable(applications, new Names()).all.map(({ ours }) => ours),
  };
}
