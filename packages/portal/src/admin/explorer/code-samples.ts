/**
 * Code samples of a call: in four languages and as a batch. Values from a form are quoted in each language, so that none is read as code.
 */

export interface SampleCall {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export const languages = ['curl', 'TypeScript', 'Python', 'PHP', 'batch'] as const;

export type SampleLanguage = (typeof languages)[number];

export interface Sample {
  readonly url: string;
  readonly call: SampleCall;
  /** Those that go before it in a batch. */
  readonly before: readonly SampleCall[];
}

const writers: Readonly<Record<SampleLanguage, (sample: Sample) => string>> = {
  curl: ({ url, call }) => curl(url, request(call, 1)),
  TypeScript: typescript,
  Python: python,
  PHP: php,
  batch: ({ url, call, before }) =>
    curl(
      url,
      [...before, call].map((each, index) => request(each, index + 1)),
    ),
};

export const writeSample = (language: SampleLanguage, sample: Sample): string => writers[language](sample);

const request = ({ method, params }: SampleCall, id: number): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(Object.keys(params).length > 0 && { params }),
});

function curl(url: string, body: object): string {
  return [
    // Without a password, curl asks for it: none stands in the list of processes.
    `curl --user "$ADMIN" ${inShell(url)} \\`,
    "  --header 'content-type: application/json' \\",
    `  --data ${inShell(JSON.stringify(body, null, 2))}`,
  ].join('\n');
}

/** POSIX shells read nothing between single quotes. */
const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function typescript({ url, call: { method, params } }: Sample): string {
  const given = Object.keys(params).length > 0 ? script(params) : '';
  return [
    "import { createManager } from '@watchword/client';",
    '',
    `const manager = createManager({ url: ${JSON.stringify(url)}, username, password });`,
    `const result = await manager.${method}(${given});`,
  ].join('\n');
}

/** Names of our parameters need no quotation marks; those of attributes may. */
const script = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /^(\s*)"([a-z_]\w*)":/gim,
    (_, space: string, name: string) => `${space}${name}:`,
  );

function python({ url, call }: Sample): string {
  return [
    'import base64, json, urllib.request',
    '',
    `call = ${literal(request(call, 1), pythonWords)}`,
    'credentials = base64.b64encode(f"{username}:{password}".encode()).decode()',
    `request = urllib.request.Request(${JSON.stringify(url)}, json.dumps(call).encode(), {`,
    '    "content-type": "application/json",',
    '    "authorization": f"Basic {credentials}",',
    '})',
    'answer = json.load(urllib.request.urlopen(request))',
    'print(answer.get("result", answer.get("error")))',
  ].join('\n');
}

function php({ url, call }: Sample): string {
  return [
    '<?php',
    `$call = ${literal(request(call, 1), phpWords)};`,
    `$curl = curl_init(${inPhp(url)});`,
    'curl_setopt_array($curl, [',
    '    CURLOPT_USERPWD => "$username:$password",',
    "    CURLOPT_HTTPHEADER => ['content-type: application/json'],",
    '    CURLOPT_POSTFIELDS => json_encode($call),',
    '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$answer = json_decode(curl_exec($curl), true);',
    "print_r($answer['result'] ?? $answer['error']);",
  ].join('\n');
}

/** Quotes a text for PHP: in single quotes only a backslash and a quote are special. */
const inPhp = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

interface Words {
  readonly text: (value: string) => string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly list: readonly [string, string];
  readonly map: readonly [string, string];
  /** The notation of an empty map. */
  readonly emptyMap: string;
  readonly colon: string;
}

const pythonWords: Words = {
  // A JSON string is one of Python, too: the same escapes, and no others.
  text: (value) => JSON.stringify(value),
  words: { true: 'True', false: 'False', null: 'None' },
  list: ['[', ']'],
  map: ['{', '}'],
  emptyMap: '{}',
  colon: ': ',
};

const phpWords: Words = {
  text: inPhp,
  words: { true: 'true', false: 'false', null: 'null' },
  list: ['[', ']'],
  map: ['[', ']'],
  emptyMap: 'new stdClass()',
  colon: ' => ',
};

function literal(value: unknown, words: Words, depth = 1): string {
  if (typeof value === 'string') return words.text(value);
  if (value === null || value === true || value === false) return words.words[`${value}`];
  if (typeof value !== 'object') return String(value);
  const inner = (each: unknown) => literal(each, words, depth + 1);
  if (Array.isArray(value)) return block(words.list, value.map(inner), depth);
  const members = Object.entries(value ?? {});
  if (members.length === 0) return words.emptyMap;
  return block(
    words.map,
    members.map(([name, member]) => `${words.text(name)}${words.colon}${inner(member)}`),
    depth,
  );
}

function block([open, close]: readonly [string, string], lines: readonly string[], depth: number): string {
  if (lines.length === 0) return open + close;
  const indent = '    '.repeat(depth);
  return `${open}\n${lines.map((line) => `${indent}${line},\n`).join('')}${indent.slice(4)}${close}`;
}
