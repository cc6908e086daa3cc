import type { RedisConnection } from '../redis/connections.ts';
import { TransientMap } from '../transient-map.ts';

interface Gatherer<Gathering> {
  begin(scope: string): Gathering;
  isFull(gathering: Gathering): boolean;
  send(redis: RedisConnection, gathering: Gathering): void;
}

/**
 * What is asked of Redis in one turn of the event loop and goes there as one command: a gathering for each connection and scope
 * (see `commandScope`), sent when the turn ends. Behind one that is full the next begins.
 */
export class TurnGatherings<Gathering extends object> {
  private readonly gatherer: Gatherer<Gathering>;
  private readonly open = new WeakMap<RedisConnection, TransientMap<string, Gathering>>();

  constructor(gatherer: Gatherer<Gathering>) {
    this.gatherer = gatherer;
  }

  /** The gathering that there is still room in. */
  current(redis: RedisConnection, scope: string): Gathering {
    const ofRedis = this.open.get(redis) ?? new TransientMap<string, Gathering>();
    this.open.set(redis, ofRedis);
    const known = ofRedis.get(scope);
    if (known !== undefined && !this.gatherer.isFull(known)) return known;
    const gathering = this.gatherer.begin(scope);
    ofRedis.set(scope, gathering);
    process.nextTick(() => {
      if (ofRedis.get(scope) === gathering) ofRedis.delete(scope);
      this.gatherer.send(redis, gathering);
    });
    return gathering;
  }
}
