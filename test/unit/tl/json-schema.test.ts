import { describe, expect, test } from 'vitest';
import { type Components, type JsonSchema, paramsSchema, resultSchema } from '../../../src/tl/json-schema.ts';
import { findMethod, listMethods, type TlMethod } from '../../../src/tl/methods.ts';
import { DESCRIBED_METHODS, SPECIFIED_METHODS } from '../../support/tl/specification.ts';

const MEGABYTE = 1_000_000;
const documented = [...SPECIFIED_METHODS.map(({ name }) => name), ...DESCRIBED_METHODS].map(get);

describe('the JSON Schemas', () => {
  test('of the documented methods are less than a megabyte together', () => {
    expect(JSON.stringify(describeAll(documented)).length).toBeLessThan(MEGABYTE);
  });

  test('of all methods refer to nothing that was not collected', () => {
    const { schemas, components } = describeAll(listMethods());
    const text = JSON.stringify([schemas, components]);
    const references = new Set(
      Array.from(text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g), ([, name]) => name),
    );
    const names = Object.keys(components);
    expect([...references].sort()).toEqual(names.sort());
    for (const name of names) expect(name).toMatch(/^TL\.[\w.]+$/);
  });

  test('of all methods and results have names that differ in more than case', () => {
    const names = Object.keys(describeAll(listMethods()).components);
    const known = new Map<string, string>();
    const alike = names.filter((name) => {
      const other = known.get(name.toLowerCase());
      known.set(name.toLowerCase(), name);
      return other !== undefined;
    });
    expect(alike).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['TL.TypeChat', 'TL.chat', 'TL.messages.TypeMessages']));
  });

  test('say what a method takes', () => {
    const collect: Components = new Map();
    expect(paramsSchema(get('messages.readMessageContents'), collect)).toEqual({
      type: 'object',
      properties: {
        _: { const: 'messages.readMessageContents' },
        id: {
          type: 'array',
          items: {
            type: 'integer',
            format: 'int32',
            minimum: -2_147_483_648,
            maximum: 2_147_483_647,
          },
          description: 'Message ID list',
        },
      },
      required: ['id'],
      additionalProperties: false,
    });
    expect(collect.size).toBe(0);
  });

  test('do not require a randomId that can be derived', () => {
    expect(paramsSchema(get('messages.sendMessage'), new Map()).required).toEqual(['peer', 'message']);
    expect(paramsSchema(get('messages.requestEncryption'), new Map()).required).toContain('randomId');
  });

  test('list the constructors of a union by their `_`', () => {
    const collect: Components = new Map();
    const { properties } = paramsSchema(get('messages.readMentions'), collect) as { properties: JsonSchema };
    expect(properties.peer).toMatchObject({
      $ref: '#/components/schemas/TL.TypeInputPeer',
    });
    expect(collect.get('TL.TypeInputPeer')).toMatchObject({
      oneOf: expect.arrayContaining([{ $ref: '#/components/schemas/TL.inputPeerUser' }]),
      discriminator: {
        propertyName: '_',
        mapping: expect.objectContaining({
          inputPeerUser: '#/components/schemas/TL.inputPeerUser',
        }),
      },
    });
    expect(collect.get('TL.inputPeerUser')).toMatchObject({
      properties: {
        _: { const: 'inputPeerUser' },
        accessHash: { type: 'string' },
      },
      required: ['_', 'userId', 'accessHash'],
    });
  });

  test('name the one constructor of a type itself', () => {
    const collect: Components = new Map();
    expect(resultSchema(get('messages.readMessageContents'), collect)).toEqual({
      $ref: '#/components/schemas/TL.messages.affectedMessages',
    });
  });

  test('require every flag of what only the messenger says, and none of what callers say', () => {
    const collect: Components = new Map();
    resultSchema(get('messages.getUnreadMentions'), collect);
    expect(collect.get('TL.message')?.required).toContain('mentioned');
    expect(collect.get('TL.messageEntityBlockquote')?.required).not.toContain('collapsed');
  });

  test('say that a Bool and a vector are objects', () => {
    expect(resultSchema(get('account.updateStatus'), new Map())).toMatchObject({
      properties: { _: { enum: ['boolTrue', 'boolFalse'] } },
      required: ['_'],
    });
    expect(resultSchema(get('stories.readStories'), new Map())).toMatchObject({
      properties: {
        _: { const: 'vector' },
        items: { type: 'array', items: { type: 'integer' } },
      },
      required: ['_', 'items'],
    });
  });

  test('let a list hash be empty, and no other long', () => {
    const { properties } = paramsSchema(get('messages.getSavedHistory'), new Map()) as never as {
      properties: Record<string, { pattern: string }>;
    };
    expect(new RegExp(properties.hash?.pattern ?? '').test('')).toBe(true);
    expect(new RegExp(properties.hash?.pattern ?? '').test('-5')).toBe(true);
    expect(new RegExp(properties.hash?.pattern ?? '').test('05')).toBe(false);
  });
});

function describeAll(methods: readonly TlMethod[]): {
  schemas: object[];
  components: object;
} {
  const collect: Components = new Map();
  const schemas = methods.map((method) => ({
    params: paramsSchema(method, collect),
    result: resultSchema(method, collect),
  }));
  return { schemas, components: Object.fromEntries(collect) };
}

function get(name: string): TlMethod {
  return findMethod(name) as TlMethod;
}
