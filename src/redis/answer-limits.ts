import type { Redis } from 'ioredis';
import { every } from '../every.ts';
import { Ring } from '../ring.ts';

/** How long a connection waits for Redis, in ms. */
export interface AnswerLimits {
  /** For the answer to a command; then the command fails. */
  answerMs: number;
  /** For any data while commands wait; then the connection is reopened. */
  silenceMs: number;
}

type Command = Parameters<Redis['sendCommand']>[0];

const POLL_MS = 100;
// A check that comes later than this shows that the process could not read meanwhile.
const STEP_MAX_MS = 2 * POLL_MS;

/**
 * Fails commands that Redis does not answer, and closes a connection on which it is silent. Only time in which this process could have read
 * an answer counts. Otherwise a process that was stopped for long (by a busy machine, or its own work) would take Redis for silent although
 * the answers have arrived: timers run before sockets are read.
 */
export function limitAnswers(redis: Redis, { answerMs, silenceMs }: AnswerLimits): void {
  const sent = new Ring<{ command: Command; until: number }>();
  /** The time in which answers could be read. */
  let now = 0;
  let checkedAt = performance.now();
  let heardAt = 0;
  let heard: { stream: unknown; bytes: number } | null = null;

  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    // The command was held while the connection was lost, and has failed meanwhile.
    if (command.isSettled) return command.promise;
    const answer = send(command, stream);
    // At each command: until the next check, thousands of answered ones would stay in memory.
    dropAnswered();
    if (!command.isSettled) sent.push({ command, until: now + answerMs });
    return answer;
  };

  // Commands are answered in order, and all have the same limit.
  function dropAnswered(): void {
    while (sent.first?.command.isSettled) empty(sent.shift()?.command as Command);
  }

  function failLate(): void {
    dropAnswered();
    while (sent.first !== undefined && sent.first.until <= now) {
      const late = sent.shift();
      if (!late?.command.isSettled) late?.command.reject(new Error('Command timed out'));
    }
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

  const polling = every(POLL_MS, () => {
    const at = performance.now();
    now += Math.min(at - checkedAt, STEP_MAX_MS);
    checkedAt = at;
    failLate();
    closeSilent();
  });
  redis.once('end', () => polling.stop());
}

/**
 * Takes from an answered command what is large, because in ioredis an old command can keep all later ones in memory until a major
 * collection. Failed commands and those of a pipeline are left alone: a cluster may send them again.
 */
function empty(command: Command & { pipelineIndex?: number }): void {
  if (!command.isResolved || command.inTransaction || command.pipelineIndex !== undefined) return;
  command.args = [];
  command.resolve = ignore;
  command.reject = ignore;
}

function ignore(): void {}
