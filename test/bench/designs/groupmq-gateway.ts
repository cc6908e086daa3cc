import { randomBytes } from 'node:crypto';
import { Problem } from '../../../src/problem.ts';
import { decodeFrame, type Reply } from '../../../src/queue/frame.ts';
import type { CallRequest } from '../../../src/queue/submit/pending-call.ts';
import { NO_LOAD } from '../../support/api/no-load.ts';
import { groupOf, openGroupmqQueue } from './groupmq-queue.ts';
import type { DesignGateway, GatewayParts } from './start-design-api.ts';

/**
 * A gateway on groupmq, a queue that is fair between groups. It has no way to wait for a job's return value: workers publish
 * replies on a channel of the API process that waits.
 */
export async function openGroupmqGateway({ open, clock }: GatewayParts): Promise<DesignGateway> {
  const queue = openGroupmqQueue(open('worker'));
  const replyTo = `groupmq-replies:${randomBytes(12).toString('base64url')}`;
  const waiting = new Map<string, (frame: string) => void>();
  const replies = open('subscriber');
  await replies.subscribe(replyTo);
  replies.on('message', (_channel, message) => {
    const end = message.indexOf(' ');
    waiting.get(message.slice(0, end))?.(message.slice(end + 1));
  });
  let turn = 0;

  async function submit(request: CallRequest): Promise<Reply> {
    const { lane: _lane, bytes: _bytes, trace: _trace, timeoutMs, ...rest } = request;
    const acceptedAt = Math.floor(clock.now());
    const call = { ...rest, number: 0, acceptedAt, notAfter: acceptedAt + timeoutMs };
    turn += 1;
    let deadline: NodeJS.Timeout | undefined;
    const replied = new Promise<string>((resolve, reject) => {
      waiting.set(call.id, resolve);
      deadline = setTimeout(() => reject(new Problem('call_timeout')), timeoutMs);
    });
    // Also when the job could not be added: then nobody else hears of the deadline.
    replied.catch(() => undefined);
    try {
      await queue.add({ groupId: groupOf(call.workspaceId, turn), data: { call, replyTo }, jobId: call.id });
      return decodeFrame(await replied);
    } finally {
      clearTimeout(deadline);
      waiting.delete(call.id);
    }
  }

  return {
    calls: {
      submit,
      processName: 'bench',
      load: NO_LOAD,
    },
    close: () => queue.close(),
  };
}
