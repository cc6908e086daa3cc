import { SentinelConnector } from 'ioredis';

// With the time to connect. Then the next sentinel is asked. Where there is only one, no other would be sooner.
const ANSWER_MS = 1_000;
const ONLY_ANSWER_MS = 5_000;

/**
 * Asks the sentinels for the master, one after the other. One that is stopped or unreachable does not hold that up: without a limit, ioredis
 * waits for its answer for ever. What only listens for a new master has no limit: there ioredis leaves a late answer's error to nobody, which
 * would end the process.
 */
export class ImpatientSentinelConnector extends SentinelConnector {
  constructor(given: unknown) {
    const options = given as ConstructorParameters<typeof SentinelConnector>[0];
    super(options);
    const commandTimeout = options.sentinels?.length === 1 ? ONLY_ANSWER_MS : ANSWER_MS;
    // biome-ignore-start lint/complexity/useLiteralKeys: ioredis has one limit for both, and no public way to tell them apart
    const open = this['connectToSentinel'].bind(this);
    this['connectToSentinel'] = (sentinel: unknown, listening?: object) =>
      open(sentinel, listening ?? { commandTimeout });
    // biome-ignore-end lint/complexity/useLiteralKeys: as above
  }

  // What listens for a new master closes the connection. One that is being made would never be made again.
  override connect(onEvent: Parameters<SentinelConnector['connect']>[0]) {
    // biome-ignore lint/complexity/useLiteralKeys: ioredis itself stops listening only once it is connected again
    this['failoverDetector']?.cleanup();
    return super.connect(onEvent);
  }
}
