import type { Chat, Message, User } from '@mtcute/core';
import * as mtcute from '@mtcute/core/methods.js';
import { Service } from '../service/service.ts';
import { HttpClient } from './http-client.ts';

/** Two people and a bot who know each other, and what they need for one function of a client. */
export class World {
  readonly service: Service;
  readonly ada: HttpClient;
  readonly bob: HttpClient;
  readonly bot: HttpClient;
  /** As Ada sees them. */
  readonly toBob: User;
  readonly toBot: User;
  /** Ada as Bob sees her. */
  readonly toAda: User;

  private constructor(
    service: Service,
    clients: [HttpClient, HttpClient, HttpClient],
    users: [User, User, User],
  ) {
    this.service = service;
    [this.ada, this.bob, this.bot] = clients;
    [this.toBob, this.toBot, this.toAda] = users;
  }

  static async open(): Promise<World> {
    const service = await Service.start();
    const { id } = await service.aWorkspace();
    const accounts = [
      await service.anAccount(id),
      await service.anAccount(id),
      await service.anAccount(id, { bot: true }),
    ];
    const [ada, bob, bot] = (await Promise.all(accounts.map((one) => HttpClient.open(service, one)))) as [
      HttpClient,
      HttpClient,
      HttpClient,
    ];
    const toBob = (await mtcute.getPeer(ada, bob.account.username)) as User;
    const toBot = (await mtcute.getPeer(ada, bot.account.username)) as User;
    const toAda = (await mtcute.getPeer(bob, ada.account.username)) as User;
    await mtcute.getPeer(bot, ada.account.username);
    return new World(service, [ada, bob, bot], [toBob, toBot, toAda]);
  }

  async close(): Promise<void> {
    await this.service.stop();
  }

  /** A text of Ada's to Bob, or to a conversation. */
  text(to: User | Chat = this.toBob, text = 'Hello'): Promise<Message> {
    return mtcute.sendText(this.ada, to, text);
  }

  /** A text of Bob's to Ada, as Ada has it. */
  async heard(text = 'Hi'): Promise<Message> {
    await mtcute.sendText(this.bob, this.toAda, text);
    const [message] = await mtcute.getHistory(this.ada, this.toBob, { limit: 1 });
    return message as Message;
  }

  /** What an account hears of a kind while something is done. */
  async hears({ account }: HttpClient, kind: string, act: () => Promise<unknown>): Promise<object[]> {
    const list = () =>
      this.service.updates(
        account.workspaceId,
        '-1',
        `messengerAccountId=${account.id}&kind=RawUpdate${kind}`,
      );
    const { length: before } = await list();
    await act();
    return (await list()).slice(before).map(({ update }) => update);
  }

  /** A new basic group of Ada's with Bob in it. */
  async group(): Promise<Chat> {
    return (await mtcute.createGroup(this.ada, { title: 'Group', users: [this.toBob] })).chat;
  }

  /** A new supergroup of Ada's, a forum if asked for. */
  supergroup(forum = false): Promise<Chat> {
    return mtcute.createSupergroup(this.ada, { title: 'Supergroup', description: 'About it', forum });
  }

  /** A new channel of Ada's. */
  channel(): Promise<Chat> {
    return mtcute.createChannel(this.ada, { title: 'Channel', description: 'About it' });
  }

  /** A new topic of a forum, by its id. */
  async topic(): Promise<{ chat: Chat; topicId: number }> {
    const chat = await this.supergroup(true);
    const { id } = await mtcute.createForumTopic(this.ada, { chatId: chat, title: 'Topic' });
    return { chat, topicId: id };
  }

  /** A conversation that Bob may be a member of, and its member. */
  async shared(): Promise<{ chatId: Chat; userId: User; participantId: User }> {
    const chatId = await this.supergroup();
    await mtcute.addChatMembers(this.ada, chatId, this.toBob, {});
    return { chatId, userId: this.toBob, participantId: this.toBob };
  }
}

/** One use of a function of mtcute, which resolves if it does what it is to do. */
export type Use = (world: World) => Promise<unknown>;

/** All that an iterator gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Some bytes as a file. */
export const FILE = new Uint8Array(2_000).fill(7);
