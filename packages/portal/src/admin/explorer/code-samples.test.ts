/** What is copied runs: each language reads the call as it was typed, whatever quotation marks are in it. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type languages, type SampleCall, writeSample } from './code-samples.ts';

const hostile = `'"\\ $HOME \${HOME} \`id\` %s ?> <?php \n\t{x} ');system('id'); é 漢 😀`;
const call: SampleCall = {
  method: 'Set_User_Attrs',
  params: {
    dn: hostile,
    attrs: { 'cn;lang-de': [hostile, 'Dora'], "it's": [], [hostile]: { deep: { er: null } } },
    values: true,
    max: 3,
    nothing: {},
  },
};
const url = "https://localhost:4443/manag/?it's";
const request = { jsonrpc: '2.0', id: 1, method: 'Set_User_Attrs', params: call.params };
const write = (language: (typeof languages)[number], before: readonly SampleCall[] = []) =>
  writeSample(language, { url, call, before });

/** Runs a program that prints JSON. */
function printed(program: string, args: readonly string[]): unknown {
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (stderr !== '') throw new Error(stderr);
  return JSON.parse(stdout);
}

/** The part of a sample that makes the call, before it is sent. */
const making = (sample: string, end: string): string => sample.slice(0, sample.indexOf(end));

describe('samples', () => {
  it('curl: a shell hands on the address and the body', () => {
    const shell = `curl() { for last; do :; done; printf %s "$last"; }\n`;
    expect(printed('sh', ['-c', shell + write('curl')])).toEqual(request);
    const address = spawnSync('sh', ['-c', `curl() { printf %s "$3"; }\n${write('curl')}`], {
      encoding: 'utf8',
    });
    expect(address.stdout).toBe(url);
  });

  it('a batch: those collected first, each with an id of its own', () => {
    const shell = `curl() { for last; do :; done; printf %s "$last"; }\n`;
    expect(printed('sh', ['-c', shell + write('batch', [{ method: 'Who_Am_I', params: {} }])])).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'Who_Am_I' },
      { ...request, id: 2 },
    ]);
  });

  it('Python', () => {
    const sample = making(write('Python'), 'credentials =');
    expect(printed('python3', ['-c', `${sample}\nprint(json.dumps(call))`])).toEqual(request);
  });

  it('PHP', () => {
    const sample = making(write('PHP'), '$curl =').replace('<?php', '');
    expect(printed('php', ['-r', `${sample} echo json_encode($call);`])).toEqual(request);
  });

  it('TypeScript', () => {
    const sample = write('TypeScript');
    const given = sample.slice(sample.indexOf('Set_User_Attrs(') + 'Set_User_Attrs('.length, -2);
    expect(new Function(`return (${given})`)()).toEqual(call.params);
    expect(sample).toContain(`url: ${JSON.stringify(url)}`);
  });
});
