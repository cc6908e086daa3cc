import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readParams, withoutGuesses } from '../../../src/cli/setup/params.ts';

describe('params of a command', () => {
  it.each([
    [['{"id":[1]}'], { id: [1] }],
    [['id=[1]'], { id: [1] }],
    [['message=Hello there', 'silent=true'], { message: 'Hello there', silent: true }],
    [['peer._=inputPeerSelf', 'limit=5'], { peer: { _: 'inputPeerSelf' }, limit: 5 }],
    [['{"message":"a","silent":true}', 'message=b=c'], { message: 'b=c', silent: true }],
    // Its last digits would be lost.
    [['hash=9223372036854775807'], { hash: '9223372036854775807' }],
    [['message='], { message: '' }],
    [[], {}],
  ])('%j', async (words, params) => {
    expect((await readParams(words)).params).toEqual(params);
  });

  it('are those of a file, and others after it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'params-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'params.json');
    writeFileSync(file, '{"message":"from a file","silent":true}');
    expect((await readParams([`@${file}`, 'silent=false'])).params).toEqual({
      message: 'from a file',
      silent: false,
    });
  });

  it.each([['[1]'], ['{"id":'], ['nonsense'], ['@/nowhere/params.json']])('are not %s', async (word) => {
    await expect(readParams([word])).rejects.toThrow(/JSON|cannot be read/);
  });

  it('never reach the prototype of objects', async () => {
    const { params } = await readParams(['__proto__.polluted=1', 'constructor.prototype.polluted=1']);
    expect(JSON.stringify(params)).toContain('polluted');
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('become text where the API wants that', async () => {
    const given = await readParams(['message=42', 'peer.accessHash=0', 'limit=1']);
    expect(withoutGuesses(given, ['/params/message', '/params/peer/accessHash'])).toEqual({
      message: '42',
      peer: { accessHash: '0' },
      limit: 1,
    });
    expect(withoutGuesses(given, ['/params/other'])).toBeNull();
  });

  it.each([
    [['limit=5', 'limit=five'], '/params/limit'],
    [['id=1', '{"id":"x"}'], '/params/id'],
    [['peer.accessHash=0', 'peer={"accessHash":true}'], '/params/peer/accessHash'],
    [['peer.accessHash=0', '{"peer":{"accessHash":true}}'], '/params/peer/accessHash'],
    [['peer=7', 'peer.userId=x'], '/params/peer'],
  ])('%j are no guess any more where they were replaced', async (words, pointer) => {
    expect(withoutGuesses(await readParams(words), [pointer])).toBeNull();
  });

  it('are guesses again if replaced by one', async () => {
    expect(
      withoutGuesses(await readParams(['id=1', 'idle=2', '{"id":"x"}', 'id=3']), ['/params/id']),
    ).toEqual({
      id: '3',
      idle: 2,
    });
  });
});
