/** The OpenAPI document against the operation table. */
import { expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { Names } from '../../table/dialect.ts';
import { OperationTable } from '../web/operations.ts';
import { openapi } from './openapi.ts';

const table = new OperationTable(bundled, new Names({ otp: 'exampleotp' }));
const document = openapi(table, { version: '1.2.3', url: 'https://login.example.org' });

it('has a path for every operation, by the words of the installation', () => {
  expect(document).toMatchObject({
    openapi: '3.1.0',
    info: { version: '1.2.3' },
    servers: [{ url: 'https://login.example.org' }],
  });
  expect(Object.keys(Object(document.paths))).toEqual(
    table.services.flatMap(({ word, operations }) => operations.map(({ name }) => `/${word}/json/${name}/`)),
  );
});

it('has the fields of a request in the query and in both bodies, those of the answer in the response', () => {
  const voice = { type: 'string', contentEncoding: 'base64' };
  const challenge = Object(document.paths)['/exampleotp/json/exampleotpChallenge/'];
  expect(challenge.get.parameters).toContainEqual({
    description: 'Ignored: nothing acts on it in this version.',
    name: 'voiceSample',
    in: 'query',
    schema: voice,
  });
  for (const body of Object.values<object>(challenge.post.requestBody.content))
    expect(body).toMatchObject({
      schema: { properties: { username: { type: 'string' }, voiceSample: voice } },
    });
  expect(challenge.post.responses[200].content['application/json'].schema.properties).toMatchObject({
    code: { type: 'integer' },
    message: { type: 'string' },
  });
});
