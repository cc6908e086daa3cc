import type { Redis } from 'ioredis';
import { every } from '../every.ts';

/** How long a connection waits for Redis, in ms. */
export interface AnswerLimits {
  /** For the answer of a command, which then fails. */
  answerMs: number;
  /** For anything at all while commands wait; then the connection is opened again. */
  silenceMs: number;
}

type Command = Parameters<Redis['sendCommand']>[0];

const LOOK_MS = 100;
// A look that comes later than this shows that the process could not read meanwhile.
const STEP_MAX_MS = 2 * LOOK_MS;

/**
 * Fails commands that Redis does not answer, and closes a connection on which it is silent. What counts is the time in which this process
 * could have read an answer. By the clock alone, a process that stood still for long enough (a busy machine, its own work) would take Redis
 * for silent although the answers lie there: timers come before what is to be read.
 */
export function limitAnswers(redis: Redis, { answerMs, silenceMs }: AnswerLimits): void {
  let sent: { command: Command; until: number }[] = [];
  /** The time in which answers could be read. */
  let now = 0;
  let lookedAt = performance.now();
  let heardAt = 0;
  let heard: { stream: unknown; bytes: number } | null = null;

  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    // One that was held while the connection was lost, and has failed meanwhile.
    if (command.isSettled) return command.promise;
    const answer = send(command, stream);
    if (!command.isSettled) sent.push({ command, until: now + answerMs });
    return answer;
  };

  function failLate(): void {
    // They are answered in their order, and all wait equally long.
    const first = sent.findIndex(({ command, until }) => !command.isSettled && until > now);
    const over = first === -1 ? sent : sent.slice(0, first);
    sent = first === -1 ? [] : sent.slice(first);
    for (const { command } of over) if (!command.isSettled) command.reject(new Error('Command timed out'));
  }

  function closeSilent(): void {
    const { stream, status, commandQueue } = redis;
    const bytes = stream?.bytesRead ?? 0;
    const isWaiting = status === 'ready' && commandQueue.length > 0;
    if (!isWaiting || heard?.stream !== stream || heard.bytes !== bytes) {
      heard = { stream, bytes };
      heardAt = now;
    } else if (now - heardAt >= silenceMs) stream.destroy(new Error(`Socket timeout after ${silenceMs} ms`));
  }

  const looking = every(LOOK_MS, () => {
    const at = performance.now();
    now += Math.min(at - lookedAt, STEP_MAX_MS);
    lookedAt = at;
    failLate();
    closeSilent();
  });
  redis.once('end', () => looking.stop());
}
