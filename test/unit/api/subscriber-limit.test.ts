import { expect, it } from 'vitest';
import { SubscriberLimit } from '../../../src/api/limits/subscriber-limit.ts';
import type { Principal } from '../../../src/directory/principal.ts';

function aKey(keyId: string, organizationId: string): Principal {
  return { kind: 'key', keyId, organizationId } as Principal;
}

it('counts the live reads of each key and of all keys of an organization', () => {
  const limit = new SubscriberLimit({ SUBSCRIBERS_PER_KEY: 2 });
  const leave = limit.take(aKey('a', 'org'));
  limit.take(aKey('a', 'org'));
  expect(() => limit.take(aKey('a', 'org'))).toThrow('This API key has 2 live reads');
  limit.take(aKey('b', 'org'));
  limit.take(aKey('c', 'org'));
  expect(() => limit.take(aKey('d', 'org'))).toThrow('The organization has 4 live reads');
  expect(() => limit.take(aKey('e', 'other'))).not.toThrow();
  leave();
  leave();
  expect(() => limit.take(aKey('d', 'org'))).not.toThrow();
  expect(() => limit.take(aKey('b', 'org'))).toThrow('The organization');
});

it('bounds the live reads of the root key by themselves', () => {
  const limit = new SubscriberLimit({ SUBSCRIBERS_PER_KEY: 1 });
  limit.take({ kind: 'root' });
  expect(() => limit.take({ kind: 'root' })).toThrow('This API key');
});
