import specs from '@asyncapi/specs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { asyncapiDocument } from '../../../src/api/updates/asyncapi-document.ts';
import { getSchema } from '../../../src/tl/schema.ts';

// biome-ignore lint/suspicious/noExplicitAny: the tests look into a document of any shape
const document: any = JSON.parse(
  JSON.stringify(asyncapiDocument({ PUBLIC_URL: 'https://example.com/base/' })),
);

test('it is a valid AsyncAPI 3.0 document', () => {
  const ajv = new Ajv({ strict: false, allErrors: false, logger: false });
  addFormats.default(ajv);
  const isValid = ajv.compile(specs.schemasWithoutId['3.0.0'] as object);
  isValid(document);
  expect(isValid.errors).toBeNull();
  expect(document.servers.public).toEqual({ host: 'example.com', protocol: 'https', pathname: '/base' });
});

test('every reference leads somewhere, and every kind of update is a message', () => {
  const references = new Set(JSON.stringify(document).match(/(?<="\$ref":")[^"]+/g));
  for (const reference of references) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce((value, name) => value?.[name], document);
    expect(found, reference).toBeDefined();
  }
  const updates = getSchema().types.get('Update') ?? [];
  expect(updates.length).toBeGreaterThan(100);
  expect(Object.keys(document.components.messages)).toHaveLength(updates.length + 2);
  expect(document.components.messages.RawUpdateReadMessagesContents.payload.allOf[1].properties).toEqual({
    kind: { const: 'RawUpdateReadMessagesContents' },
    update: { $ref: '#/components/schemas/TL.updateReadMessagesContents' },
  });
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
      },
    );
  const update = { _: 'updateDeleteMessages', messages: [1], pts: 1, ptsCount: 1 };
  expect(fits('RawUpdateDeleteMessages', update)).toBe(true);
  expect(fits('RawUpdateDeleteMessages', { ...update, pts: 'one' })).toBe(false);
  expect(fits('RawUpdateReadMessagesContents', update)).toBe(false);
});
