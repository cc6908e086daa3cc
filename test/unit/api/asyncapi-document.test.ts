import { readFileSync } from 'node:fs';
import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { asyncapiDocument } from '../../../src/api/updates/asyncapi-document.ts';
import { CALL_EVENTS } from '../../../src/call-events.ts';
import { countValues, find } from '../../support/http/references.ts';
import { EMITTED_KINDS, listEmittedKinds } from '../../support/sandbox/emitted-kinds.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into a document of any shape
const document: any = JSON.parse(
  JSON.stringify(asyncapiDocument({ PUBLIC_URL: 'https://example.com/base/' })),
);

test('it is a valid AsyncAPI 3.1 document', () => {
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false });
  addFormats.default(ajv);
  const isValid = ajv.compile(specs.schemasWithoutId['3.1.0'] as object);
  isValid(document);
  expect(isValid.errors).toBeNull();
  expect(document.servers.public).toEqual({ host: 'example.com', protocol: 'https', pathname: '/base' });
});

test('every reference leads somewhere', () => {
  const references = new Set(JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g));
  expect(references.size).toBeGreaterThan(100);
  for (const reference of references) expect(find(document, reference), reference).toBeDefined();
});

test('the messages are the kinds that the sandbox emits, and the ends of async calls; npm run docs lists them', () => {
  const kinds: string[] = JSON.parse(readFileSync(EMITTED_KINDS, 'utf8'));
  expect(kinds).toEqual(listEmittedKinds());
  expect(kinds.length).toBeGreaterThan(25);
  const messages = Object.keys(document.components.messages);
  expect(messages.toSorted()).toEqual([...kinds, ...Object.keys(CALL_EVENTS)].toSorted());
  expect(document.components.messages.RawUpdateReadMessagesContents.payload.allOf[1].properties).toEqual({
    kind: { const: 'RawUpdateReadMessagesContents' },
    update: { $ref: '#/components/schemas/TL.updateReadMessagesContents' },
  });
});

// The official parser follows each of them.
test('its references come to an end, and soon', () => {
  expect(countValues(document, document.channels)).toBeLessThan(40_000);
  expect(JSON.stringify(document).length).toBeLessThan(210_000);
});

test('an update without its unset flags fits its kind, and not another', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', ...document });
  const fits = (kind: string, update: object) =>
    ajv.validate(
      { $ref: `doc#/components/messages/${kind}/payload` },
      {
        id: 'upd_1',
        offset: '0',
        kind: 'RawUpdateDeleteMessages',
        timestamp: '2026-01-01T00:00:00.000Z',
        workspaceId: 'ws_1',
        messengerAccountId: null,
        txid: 1,
        update,
        users: [],
        chats: [],
      },
    );
  const update = { _: 'updateDeleteMessages', messages: [1], pts: 1, ptsCount: 1 };
  expect(fits('RawUpdateDeleteMessages', update)).toBe(true);
  expect(fits('RawUpdateDeleteMessages', { ...update, pts: 'one' })).toBe(false);
  expect(fits('RawUpdateReadMessagesContents', update)).toBe(false);
});
