import { decodeFrame, type Reply } from '../../../src/queue/frame.ts';
import type { CallRequest } from '../../../src/queue/submit/pending-call.ts';
import { NO_LOAD } from '../../support/api/no-load.ts';
import { FrameRunner } from './frame-runner.ts';
import type { DesignGateway, GatewayParts } from './start-design-api.ts';

/** No queue at all: the API process runs the method itself. Nothing that is lost with the process can be taken up again. */
export async function openNoQueueGateway({ open, clock }: GatewayParts): Promise<DesignGateway> {
  const runner = new FrameRunner(open('state'), clock);
  await runner.load();

  async function submit(request: CallRequest): Promise<Reply> {
    const { lane: _lane, bytes: _bytes, trace: _trace, timeoutMs, ...rest } = request;
    const acceptedAt = Math.floor(clock.now());
    return decodeFrame(
      await runner.run({ ...rest, number: 0, acceptedAt, notAfter: acceptedAt + timeoutMs }),
    );
  }

  return {
    calls: {
      submit,
      processName: 'bench',
      load: NO_LOAD,
    },
    close: async () => undefined,
  };
}
