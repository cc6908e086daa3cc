import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, Service } from '../support/service/service.ts';
import { expectUnhurt, Victim } from '../support/strangers/victim.ts';

const MEMBERS = 89;
const SENDERS = 100;
const ATTACK_MS = 11_000;

let service: Service;
let victim: Victim;
let owner: Account;
let chatId: number;

beforeAll(async () => {
  service = await Service.start();
  victim = await Victim.create(service);
  const { id } = await service.aWorkspace();
  owner = await service.anAccount(id);
  const members: Account[] = [];
  while (members.length < MEMBERS) members.push(await service.anAccount(id));
  const users = members.map(({ userId }) => ({ _: 'inputUser', userId, accessHash: '0' }));
  const { updates } = await service.result(owner, 'messages.createChat', { users, title: 'Large' });
  chatId = updates.chats[0].id;
}, 120_000);
afterAll(() => service.stop());

it.each([
  ['messages to a large group', 200, null],
  ['messages to a large group whose senders hang up', 'hung up', 150],
])(
  'serves others beside %s',
  async (name, usual, waitMs) => {
    const peer = { _: 'inputPeerChat', chatId };
    const attack = async () => {
      const until = performance.now() + ATTACK_MS;
      const outcomes = new Map<number | string, number>();
      const sendOn = async () => {
        while (performance.now() < until) {
          const patience = waitMs === null ? {} : { signal: AbortSignal.timeout(waitMs) };
          const sent = service.call(owner, 'messages.sendMessage', { peer, message: 'Hello' }, patience);
          const outcome = await sent.then(
            ({ status }) => status,
            (error) => (patience.signal?.aborted ? 'hung up' : String(error)),
          );
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, sendOn));
      return outcomes;
    };
    const harm = await victim.during(attack);
    expectUnhurt(name, harm);
    expect(harm.result.get(usual)).toBeGreaterThan(0);
  },
  120_000,
);
