import { MessengerError } from '../../../driver.ts';

/** The graph that a token stands for. */
export interface GraphToken {
  kind: 'views' | 'emotions';
  channelId: number;
  msgId: number;
  /** The user that the token was given to, and when. */
  userId: number;
  date: number;
}

const KINDS = ['views', 'emotions'] as const;
const TTL_SECONDS = 24 * 60 * 60;

/** The token by which a graph is loaded. */
export function toGraphToken({ kind, channelId, msgId, userId, date }: GraphToken): string {
  return Buffer.from([KINDS.indexOf(kind), channelId, msgId, userId, date].join('.')).toString('base64url');
}

/** Parses a token. Errors: `GRAPH_INVALID_RELOAD` if it is not this user's, `GRAPH_EXPIRED_RELOAD` after a day. */
export function readGraphToken(token: string, viewer: { userId: number; date: number }): GraphToken {
  const text = Buffer.from(token, 'base64url').toString();
  if (!/^\d(?:\.\d{1,12}){4}$/.test(text)) throw new MessengerError('GRAPH_INVALID_RELOAD');
  const [index, channelId, msgId, userId, date] = text.split('.').map(Number) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const kind = KINDS[index];
  if (kind === undefined || userId !== viewer.userId) throw new MessengerError('GRAPH_INVALID_RELOAD');
  if (date + TTL_SECONDS < viewer.date) throw new MessengerError('GRAPH_EXPIRED_RELOAD');
  return { kind, channelId, msgId, userId, date };
}
