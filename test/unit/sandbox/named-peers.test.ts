import { expect, it } from 'vitest';
import { Placeholder } from '../../../src/state/placeholder.ts';
import { peersOf } from '../../../workers/sandbox/model/boxes/named-peers.ts';

it('what several updates share is walked through once for the peers in it', () => {
  let walks = 0;
  const ownKeys = (target: object) => {
    walks += 1;
    return Reflect.ownKeys(target);
  };
  const poll = new Proxy({ _: 'poll', answers: [{ addedBy: { _: 'peerUser', userId: 5 } }] }, { ownKeys });
  const shared = new Placeholder(1, poll);
  for (const userId of [6, 7, 8]) {
    expect(peersOf({ _: 'update', userId, poll: shared, channelId: 9 })).toEqual([
      { _: 'peerUser', userId },
      { _: 'peerUser', userId: 5 },
      { _: 'peerChannel', channelId: 9 },
    ]);
  }
  expect(walks).toBe(1);
});
