import { inspect } from 'node:util';
import { Refused } from '../sandbox.ts';
import type { Act } from './acts/scene.ts';
import { type Beside, listMissingPeers } from './missing-peers.ts';
import type { World } from './world.ts';

/** Makes the call of an act, which the sandbox may refuse, and gives what is wrong with its result. */
export async function perform(world: World, { account, method, params }: Act): Promise<string[]> {
  try {
    const result = await world.sandbox.call(account, method, params);
    world.done += 1;
    const list = result?.updates?.users ? result.updates : result;
    if (!list?.users || !list.chats) return [];
    const { users, chats, ...named } = list;
    const beside: Beside = { users, chats };
    return listMissingPeers(named, beside).map((text) => `In the result of ${method} ${text}`);
  } catch (error) {
    if (error instanceof Refused && error.code !== 'invalid_params') return [];
    return [`${method} has failed: ${inspect(error)}`];
  }
}
