import { Queue, QueueEvents } from 'bullmq';
import { Problem } from '../../../src/problem.ts';
import { decodeFrame, type Reply } from '../../../src/queue/frame.ts';
import type { CallRequest } from '../../../src/queue/submit/pending-call.ts';
import { NO_LOAD } from '../../support/api/no-load.ts';
import type { DesignGateway, GatewayParts } from './start-design-api.ts';
import { USUAL_JOB_OPTIONS, USUAL_PREFIX, USUAL_QUEUE, USUAL_STREAMS, type UsualJob } from './usual-queue.ts';

/**
 * The gateway as the guides to BullMQ build it: each call is a job, and its request waits with `waitUntilFinished` for the
 * job's return value to come by on the queue's events.
 */
export async function openUsualGateway({ open, clock }: GatewayParts): Promise<DesignGateway> {
  const queue = new Queue<UsualJob, string, 'call'>(USUAL_QUEUE, {
    connection: open('request'),
    prefix: USUAL_PREFIX,
    streams: USUAL_STREAMS,
  });
  const events = new QueueEvents(USUAL_QUEUE, {
    connection: open('blocking'),
    prefix: USUAL_PREFIX,
  });
  // Every waiting request listens, on both.
  queue.setMaxListeners(0);
  events.setMaxListeners(0);
  await Promise.all([queue.waitUntilReady(), events.waitUntilReady()]);

  async function submit(request: CallRequest): Promise<Reply> {
    const { lane: _lane, bytes: _bytes, trace: _trace, timeoutMs, ...rest } = request;
    const acceptedAt = Math.floor(clock.now());
    try {
      const call = { ...rest, number: 0, acceptedAt, notAfter: acceptedAt + timeoutMs };
      const job = await queue.add('call', { call }, USUAL_JOB_OPTIONS);
      return decodeFrame(await job.waitUntilFinished(events, timeoutMs));
    } catch (error) {
      if (error instanceof Error && error.message.includes('timed out before finishing'))
        throw new Problem('call_timeout');
      throw error;
    }
  }

  return {
    calls: {
      submit,
      processName: 'bench',
      load: NO_LOAD,
    },
    async close() {
      await Promise.all([queue.close(), events.close()]);
    },
  };
}
